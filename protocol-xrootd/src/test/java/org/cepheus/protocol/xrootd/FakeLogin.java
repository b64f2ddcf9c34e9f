package org.cepheus.protocol.xrootd;

import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Authenticator;

/** Believes everybody on loopback, but not mallory. */
record FakeLogin(List<String> offers) implements Authenticator {
    @Override
    public Identity authenticate(Credential credential, boolean loopback) {
        return switch (credential) {
            case Credential.Anonymous() -> Identity.NOBODY;
            case Credential.Unix(String user, List<String> groups) -> {
                if (!loopback || user.equals("mallory")) {
                    throw new FsException(new FsError.PermissionDenied("not you, " + user));
                }
                yield new Identity(user, groups.isEmpty() ? List.of("none") : groups, false);
            }
        };
    }
}
