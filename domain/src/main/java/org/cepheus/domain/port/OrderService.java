package org.cepheus.domain.port;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.OnceKey;

/**
 * Changes that operators order. Failures are {@link org.cepheus.domain.FsException}s; after one
 * nothing has changed, except for {@code Unavailable}: it may have happened, and repeating it with
 * the same key is safe.
 */
public interface OrderService {
    /**
     * Does it, or says why not. With a key that came before nothing is done, and the end is that of
     * the first time, whichever member led then.
     */
    CompletionStage<Void> order(Caller caller, OperatorOrder order, Optional<OnceKey> once);

    /**
     * How the order with that key ended; empty if none came. It may come between this answer and
     * {@link #order}, which then ends the same way.
     */
    CompletionStage<Optional<Outcome>> outcome(Caller caller, OnceKey once);

    /** Done, unless it was refused. */
    record Outcome(Optional<FsError> refused) {}
}
