package org.cepheus.protocol.xrootd;

import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** What a server of one role does with the requests of one connection that is logged in. */
interface RoleRequests {
    /** The flags of the answer to protocol. */
    int protocolFlags();

    /** 1 for a data server, 0 for a manager, as the answer to the handshake says. */
    int handshakeType();

    /** The security protocols in login's form, such as {@code &P=unix}; empty for none. */
    String securityOffer();

    /**
     * @throws org.cepheus.domain.FsException PermissionDenied
     */
    Identity authenticate(Authenticator.Credential credential, boolean loopback);

    void serve(Exchange exchange, XrootdRequest request);

    /** Where the data of this write, pgwrite or writev goes. */
    BulkSink bulk(Exchange exchange, XrootdRequest request);

    /**
     * Makes the connection one more stream of this session.
     *
     * @throws org.cepheus.domain.FsException Unsupported, Overloaded
     */
    Substream bind(XrootdConnection stream);

    /** Ends everything that is open; uploads are held for the client to come back. */
    void endSession();
}
