package org.cepheus.namespace.sim;

import java.util.Set;
import org.cepheus.domain.FsError;

/** The oracle expects a refusal of one of these kinds. */
final class Expected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Set<Class<? extends FsError>> kinds;

    Expected(Set<Class<? extends FsError>> kinds) {
        super(null, null, false, false);
        this.kinds = Set.copyOf(kinds);
    }

    static Expected refusal(Class<? extends FsError> kind) {
        return new Expected(Set.of(kind));
    }

    Set<Class<? extends FsError>> kinds() {
        return kinds;
    }
}
