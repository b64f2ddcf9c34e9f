package org.cepheus.auth;

import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Authenticator;

/**
 * Believes what peers on this host say of themselves and lets in nobody else: the authenticator of
 * a single machine without logins. Who brings nothing acts as the user who started the process.
 */
public final class LoopbackAuthenticator implements Authenticator {
    private static final List<String> NO_GROUP = List.of("nogroup");

    private final Identity starter;

    /**
     * Trusts this host.
     *
     * @param starter who started the process; its superuser flag is the only one ever given
     */
    public LoopbackAuthenticator(Identity starter) {
        this.starter = starter;
    }

    @Override
    public List<String> offers() {
        return List.of("unix");
    }

    @Override
    public Identity authenticate(Credential credential, boolean loopback) {
        if (!loopback) {
            throw new FsException(
                    new FsError.PermissionDenied(
                            "without logins configured this server accepts clients of its own host only (127.0.0.1 or ::1)"));
        }
        return switch (credential) {
            case Credential.Anonymous _ -> starter;
            case Credential.Unix(var user, _) when user.equals(starter.user()) -> starter;
            case Credential.Unix(var user, _) when user.isBlank() || user.length() > 255 ->
                    throw new FsException(
                            new FsError.PermissionDenied(
                                    "the unix login names no user; send a user name of 1 to 255 characters"));
            case Credential.Unix(var user, var groups) ->
                    new Identity(user, groups.isEmpty() ? NO_GROUP : groups, false);
        };
    }
}
