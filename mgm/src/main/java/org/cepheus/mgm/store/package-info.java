/** The store port on disk: RocksDB behind the rows of the namespace. */
@NullMarked
package org.cepheus.mgm.store;

import org.jspecify.annotations.NullMarked;
