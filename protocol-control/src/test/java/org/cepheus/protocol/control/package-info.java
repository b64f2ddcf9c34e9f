/** The control connection by golden bytes, over real sockets, and across failovers. */
@NullMarked
package org.cepheus.protocol.control;

import org.jspecify.annotations.NullMarked;
