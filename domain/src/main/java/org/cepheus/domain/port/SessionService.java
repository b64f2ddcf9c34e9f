package org.cepheus.domain.port;

import java.time.Instant;
import java.util.List;

/** The logged-in clients of one server port. */
public interface SessionService {
    /** Those that are there now, in no order. */
    List<Session> sessions();

    /** Cuts the connections of a session; false if there is none of that number. */
    boolean end(long number);

    /**
     * A client.
     *
     * @param number counts up with each login at this port; knowing it gives no right to anything
     * @param user who it is believed to be
     * @param client its address
     */
    record Session(long number, String protocol, String user, String client, Instant since) {}
}
