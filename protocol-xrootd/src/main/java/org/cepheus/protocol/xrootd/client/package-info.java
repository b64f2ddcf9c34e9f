/**
 * The client side of XRootD, on the same records as the server: logs in, follows redirects, moves
 * bytes. Nothing blocks; stages complete on event loops.
 */
@NullMarked
package org.cepheus.protocol.xrootd.client;

import org.jspecify.annotations.NullMarked;
