/** What MGM and FST say to each other: hello, heartbeat, lease, extend, commit, delete. */
@NullMarked
package org.cepheus.protocol.control;

import org.jspecify.annotations.NullMarked;
