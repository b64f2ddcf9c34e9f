/** A real CephFS below both volumes, one of them erasure-coded: does the whole run over it. */
@NullMarked
package org.cepheus.it.ceph;

import org.jspecify.annotations.NullMarked;
