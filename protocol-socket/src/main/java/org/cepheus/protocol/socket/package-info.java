/** What every protocol that sends file data does with a socket. */
@NullMarked
package org.cepheus.protocol.socket;

import org.jspecify.annotations.NullMarked;
