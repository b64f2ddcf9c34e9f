/** Proves the whole with real clients, real Ceph, several nodes and the simulator. */
@NullMarked
package org.cepheus.it;

import org.jspecify.annotations.NullMarked;
