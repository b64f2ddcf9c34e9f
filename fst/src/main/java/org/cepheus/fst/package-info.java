/** Serves bytes from CephFS mounts or RADOS, and pulls and pushes copies. */
@NullMarked
package org.cepheus.fst;

import org.jspecify.annotations.NullMarked;
