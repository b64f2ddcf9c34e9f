package org.cepheus.protocol.xrootd;

import java.util.Optional;
import java.util.function.Supplier;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.NamespaceService;

/** What an XRootD server is to its clients. */
public sealed interface XrootdRole {
    /** Answers everything about names and sends opens to data servers. */
    record Manager(NamespaceService namespace, Authenticator authenticator) implements XrootdRole {}

    /**
     * Serves bytes to who has a ticket and sends everything about names to the manager.
     *
     * @param namespace for what clients ask of an open file by its handle: its attributes
     * @param manager where the leading MGM is, as far as known
     */
    record DataServer(
            DataService data, NamespaceService namespace, Supplier<Optional<MgmAddress>> manager)
            implements XrootdRole {}
}
