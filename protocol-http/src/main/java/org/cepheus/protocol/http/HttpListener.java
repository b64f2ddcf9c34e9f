package org.cepheus.protocol.http;

import java.util.concurrent.atomic.AtomicInteger;
import org.cepheus.domain.TraceId;
import org.cepheus.protocol.socket.ClientFaults;

/**
 * What the connections of one listener share. Safe for several threads.
 *
 * @param faults where it is logged what clients do wrong
 */
record HttpListener(
        HttpServerConfig config,
        HttpServices services,
        Endpoint endpoint,
        AtomicInteger connections,
        ClientFaults faults) {
    /** Names have up to 255 bytes, each escaped as three characters. */
    static final int MAX_LINE_BYTES = 8 * 1024;

    static final int MAX_HEADER_BYTES = 16 * 1024;

    TraceId nextTrace() {
        synchronized (services.random()) {
            return new TraceId(services.random().nextLong());
        }
    }
}
