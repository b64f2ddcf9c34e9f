/** Speaks HTTP/WebDAV and HTTP-TPC (both sides) over Netty and calls the ports. */
@NullMarked
package org.cepheus.protocol.http;

import org.jspecify.annotations.NullMarked;
