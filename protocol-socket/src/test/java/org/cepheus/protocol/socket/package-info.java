/** What watches the tests of the rooms that use sockets. */
@NullMarked
package org.cepheus.protocol.socket;

import org.jspecify.annotations.NullMarked;
