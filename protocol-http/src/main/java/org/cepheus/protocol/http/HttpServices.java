package org.cepheus.protocol.http;

import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;

/**
 * What a listener needs beside the ports of its role.
 *
 * @param admission asked before a request takes memory
 * @param random makes trace ids; need not be safe for several threads
 * @param clock for {@code Date} headers and the stamps of redirects
 */
public record HttpServices(
        Authenticator authenticator,
        Metrics metrics,
        Audit audit,
        Admission admission,
        RandomGenerator random,
        InstantSource clock) {}
