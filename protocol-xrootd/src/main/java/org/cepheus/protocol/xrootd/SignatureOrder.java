package org.cepheus.protocol.xrootd;

import java.util.Optional;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/**
 * Looks at the signatures of one connection. They are made with the key of the login, and no login
 * that is offered has one: what they say proves nothing and is not looked at. Only their form and
 * the order of their numbers is.
 */
final class SignatureOrder {
    private static final int SHA_256 = 1;

    private long last = -1;

    /** Takes a signature, or says why not. */
    Optional<String> refusal(XrootdRequest.Signature signature) {
        boolean isKnown = signature.version() == 0 && (signature.crypto() & 0x0f) == SHA_256;
        if (!isKnown || signature.sequence() <= last) {
            return Optional.of(
                    "signature %d of version %d and kind %d after signature %d"
                            .formatted(
                                    signature.sequence(),
                                    signature.version(),
                                    signature.crypto(),
                                    last));
        }
        last = signature.sequence();
        return Optional.empty();
    }
}
