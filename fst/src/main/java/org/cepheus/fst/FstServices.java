package org.cepheus.fst;

import io.netty.channel.EventLoopGroup;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;

/**
 * What an FST gets from the process it runs in.
 *
 * @param acceptors epoll event loops that accept; not closed with the FST
 * @param workers epoll event loops that serve; may be the same
 * @param authenticator says who comes to the door without a ticket
 * @param admission asked before a request takes memory
 * @param random cryptographically strong and safe for several threads
 */
public record FstServices(
        EventLoopGroup acceptors,
        EventLoopGroup workers,
        Authenticator authenticator,
        Metrics metrics,
        Audit audit,
        Admission admission,
        RandomGenerator random,
        InstantSource clock) {}
