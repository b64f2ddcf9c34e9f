/**
 * The messages of the XRootD protocol as data. Only here are byte offsets known; bulk bytes are not
 * messages and pass beside these records.
 */
@NullMarked
package org.cepheus.protocol.xrootd.wire;

import org.jspecify.annotations.NullMarked;
