package org.cepheus.domain.port;

import java.util.Optional;
import org.cepheus.domain.FsError;

/**
 * Says whether this process has memory for more. Asked before any is taken, by every protocol, for
 * every request: it answers at once.
 */
public interface Admission {
    /** Memory without end. */
    Admission ALWAYS =
            new Admission() {
                @Override
                public Optional<FsError> refusal() {
                    return Optional.empty();
                }

                @Override
                public boolean isShort() {
                    return false;
                }
            };

    /** Why nothing new may begin now ({@code Overloaded}): no open, no upload, no listing. */
    Optional<FsError> refusal();

    /** True while what runs already has to do with little, too. */
    boolean isShort();
}
