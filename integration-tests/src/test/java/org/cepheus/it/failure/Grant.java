package org.cepheus.it.failure;

import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.XrootdWire;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * What an MGM allows.
 *
 * @param port of XRootD at the FST; HTTP is ten above
 * @param opaque the ticket as the redirect has it, {@code cph.tkt=...}
 */
record Grant(String path, int port, String opaque) {
    /** Asks for a file that is there, or for one that is to be new. */
    static Grant of(CepheusUp up, String path, boolean writing) {
        int options = writing ? XrootdWire.CREATE : XrootdWire.READ;
        try (XrootdWire mgm = XrootdWire.loggedIn(up.portBase())) {
            XrootdResponse.Redirect to =
                    mgm.ask(new XrootdRequest.Open(0644, options, 0, path)).redirect();
            return new Grant(path, to.port(), to.opaque());
        }
    }

    int httpPort() {
        return port + 10;
    }

    /** The ticket alone. */
    String ticket() {
        return opaque.substring(opaque.indexOf('=') + 1);
    }

    /** The path with the ticket, as the client brings it. */
    String target() {
        return path + "?" + opaque;
    }

    XrootdRequest.Open open() {
        return new XrootdRequest.Open(0, 0, 0, target());
    }
}
