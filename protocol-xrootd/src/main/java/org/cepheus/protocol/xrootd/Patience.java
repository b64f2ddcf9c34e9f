package org.cepheus.protocol.xrootd;

import java.time.Duration;

/**
 * How long clients are waited for.
 *
 * @param login from the connection to the end of the login
 * @param stall for the rest of a request that has begun, for more file data while some is owed, and
 *     for a client to take answers
 * @param idle for the next request of a client that owes nothing
 */
record Patience(Duration login, Duration stall, Duration idle) {
    /** Clients themselves close idle connections after 5 to 20 minutes. */
    static final Patience USUAL =
            new Patience(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofMinutes(90));
}
