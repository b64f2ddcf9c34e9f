package org.cepheus.domain.port;

import java.util.List;
import org.cepheus.domain.Identity;

/** Turns a credential into an identity, or says why not. */
public interface Authenticator {
    /** What a client brings. */
    sealed interface Credential {
        /** Nothing (HTTP without a header, XRootD without an offer). */
        record Anonymous() implements Credential {}

        /** XRootD's unix protocol: a claim, good only from a trusted peer. */
        record Unix(String user, List<String> groups) implements Credential {
            public Unix {
                groups = List.copyOf(groups);
            }
        }
    }

    /** The XRootD security protocols to offer, such as {@code unix}; empty for none. */
    List<String> offers();

    /**
     * Decides who that is.
     *
     * @param loopback true if the peer is on this host
     * @throws org.cepheus.domain.FsException PermissionDenied, saying what would be accepted
     */
    Identity authenticate(Credential credential, boolean loopback);
}
