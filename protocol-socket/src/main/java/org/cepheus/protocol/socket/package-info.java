/**
 * What all protocols share: the event loops, the memory that is received into, how file data go to
 * a socket, and what is logged of clients that do wrong.
 */
@NullMarked
package org.cepheus.protocol.socket;

import org.jspecify.annotations.NullMarked;
