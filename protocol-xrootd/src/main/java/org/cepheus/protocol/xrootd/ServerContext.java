package org.cepheus.protocol.xrootd;

import java.time.Duration;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.ClientFaults;

/**
 * What all connections of one server share.
 *
 * @param lateAfter an answer that takes longer is announced, so that the client keeps the stream
 * @param patience how long clients are waited for
 * @param admission asked before a request takes memory
 * @param faults where it is logged what clients do wrong
 */
record ServerContext(
        XrootdServerConfig config,
        Metrics metrics,
        Audit audit,
        Sessions sessions,
        Duration lateAfter,
        Patience patience,
        Admission admission,
        ClientFaults faults) {}
