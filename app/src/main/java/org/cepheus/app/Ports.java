package org.cepheus.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;

/**
 * The ports of one {@code up}: one MGM and {@link #FST_COUNT} FSTs on loopback. An FST's ports are
 * the MGM's plus its number.
 */
record Ports(int xrootd, int http, int admin, int raft) {
    /** Only this host reaches an {@code up}; a number, because clients then agree on IPv4. */
    static final String HOST = "127.0.0.1";

    static final int FST_COUNT = 2;

    /** So many ports from the base on belong to one {@code up}. */
    static final int SPAN = 32;

    static final int MAX_BASE = 65_536 - SPAN;

    /** Where clients look first when no port is named. */
    static final Ports USUAL = new Ports(1_094, 8_080, 9_080, 1_124);

    /** A port and who wants it. */
    record Use(int port, String purpose) {}

    /** Every port moved by one number, so that several clusters live on one machine. */
    static Ports from(int base) {
        if (base < 1 || base > MAX_BASE) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--port-base must be 1..%d, is %d".formatted(MAX_BASE, base));
        }
        return new Ports(base, base + 10, base + 20, base + 30);
    }

    int control() {
        return raft + 1;
    }

    int xrootdOfFst(int fst) {
        return xrootd + fst;
    }

    int httpOfFst(int fst) {
        return http + fst;
    }

    List<Use> uses() {
        var uses = new ArrayList<Use>();
        uses.add(new Use(xrootd, "XRootD at the MGM"));
        uses.add(new Use(http, "HTTP at the MGM"));
        for (int fst = 1; fst <= FST_COUNT; fst++) {
            uses.add(new Use(xrootdOfFst(fst), "XRootD at FST " + fst));
            uses.add(new Use(httpOfFst(fst), "HTTP at FST " + fst));
        }
        uses.add(new Use(admin, "administration"));
        uses.add(new Use(raft, "Raft"));
        uses.add(new Use(control(), "control between MGM and FSTs"));
        return uses;
    }

    /**
     * Looks whether every port is free now.
     *
     * @throws CommandFailure naming all that are taken and what they are for
     */
    void refuseTaken() {
        List<String> taken =
                uses().stream()
                        .filter(use -> isTaken(use.port()))
                        .map(use -> "%d (%s)".formatted(use.port(), use.purpose()))
                        .toList();
        if (!taken.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s %s on %s already taken; stop what listens there, or move all ports with --port-base N"
                            .formatted(
                                    taken.size() == 1 ? "port" : "ports",
                                    String.join(", ", taken),
                                    HOST + (taken.size() == 1 ? " is" : " are")));
        }
    }

    private static boolean isTaken(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true); // As the servers do: the end of an old run is no use.
            socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port), 1);
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
