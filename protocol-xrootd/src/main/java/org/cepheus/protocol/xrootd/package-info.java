/** Speaks XRootD (server and client side) over Netty and calls the ports. */
@NullMarked
package org.cepheus.protocol.xrootd;

import org.jspecify.annotations.NullMarked;
