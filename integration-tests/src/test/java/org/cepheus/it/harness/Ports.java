package org.cepheus.it.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports that nobody uses, below the range from which the kernel takes clients' ports. */
public final class Ports {
    /** So many ports after the base belong to one {@code up}. */
    public static final int SPAN = 40;

    private static final int FIRST = 12_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 200;

    private Ports() {}

    /** A base for {@code --port-base}: it and the ports above it were free a moment ago. */
    public static int freeBase() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int base = ThreadLocalRandom.current().nextInt(FIRST, LAST) / SPAN * SPAN;
            if (areFree(base)) {
                return base;
            }
        }
        throw new AssertionError("no free range of %d ports found".formatted(SPAN));
    }

    private static boolean areFree(int base) {
        for (int port = base; port < base + SPAN; port++) {
            try (var socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException _) {
                return false;
            }
        }
        return true;
    }
}
