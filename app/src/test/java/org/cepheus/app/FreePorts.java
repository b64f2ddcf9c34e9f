package org.cepheus.app;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.cepheus.cli.CommandFailure;

/** Finds a port base whose ports are all free now. */
final class FreePorts {
    private FreePorts() {}

    static int base() throws Exception {
        for (int attempt = 0; attempt < 100; attempt++) {
            int base = anyFree();
            if (base <= Ports.MAX_BASE && isFree(Ports.from(base))) {
                return base;
            }
        }
        throw new AssertionError("no free range of ports");
    }

    private static int anyFree() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(Ports.HOST))) {
            return socket.getLocalPort();
        }
    }

    private static boolean isFree(Ports ports) {
        try {
            ports.refuseTaken();
            return true;
        } catch (CommandFailure e) {
            return false;
        }
    }
}
