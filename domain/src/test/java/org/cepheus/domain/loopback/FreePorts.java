package org.cepheus.domain.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Finds ports of the loopback on which nobody listens, for servers that must know their port before
 * they bind it.
 *
 * <p>All lie below the range from which the kernel takes the ports of clients (32768 and above on
 * Linux): a port that the kernel itself gave as free may belong to some client's connection by the
 * time the server binds it.
 */
public final class FreePorts {
    /** Every port found is at least this. */
    static final int FIRST = 12_000;

    /** Every port found is less than this. */
    static final int END = 32_000;

    private static final int ATTEMPTS = 200;

    private FreePorts() {}

    /** The first of {@code span} adjacent ports, all free a moment ago; a multiple of the span. */
    public static int firstOf(int span) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(FIRST / span + 1, END / span) * span;
            if (IntStream.range(first, first + span).allMatch(FreePorts::isFree)) {
                return first;
            }
        }
        throw new AssertionError("no %d adjacent free ports found".formatted(span));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
