/** What all protocols share: the event loops, and how file data go to a socket. */
@NullMarked
package org.cepheus.protocol.socket;

import org.jspecify.annotations.NullMarked;
