/** Replicates the namespace with Ratis over RocksDB, places files, redirects clients. */
@NullMarked
package org.cepheus.mgm;

import org.jspecify.annotations.NullMarked;
