package org.cepheus.domain.port;

import java.util.Optional;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;

/**
 * A decision made before the namespace's own (mode, owner, group): where token scopes and bans plug
 * in. It can only take away.
 */
public interface AccessPolicy {
    /** What is wanted of a path. */
    enum Want {
        READ,
        LIST,
        CREATE,
        CHANGE,
        DELETE
    }

    /** Leaves everything to mode, owner and group. */
    AccessPolicy POSIX_ONLY = (_, _, _) -> Optional.empty();

    /** The refusal, if there is one. */
    Optional<FsError> refusal(Caller caller, Want want, FsPath path);
}
