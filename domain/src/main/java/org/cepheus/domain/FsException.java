package org.cepheus.domain;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Carries an {@link FsError} from the place that noticed it to the protocol edge that answers it.
 * It has no stack trace: it is an answer, not a fault.
 */
public final class FsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient FsError error;

    public FsException(FsError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public FsError error() {
        return error;
    }

    /**
     * The error behind a failed stage, whatever it was wrapped in; anything that is no {@link
     * FsException} is our own fault and becomes {@link FsError.Internal}.
     */
    public static FsError errorOf(Throwable failure) {
        Throwable at = failure;
        while ((at instanceof CompletionException || at instanceof ExecutionException)
                && at.getCause() != null) {
            at = at.getCause();
        }
        return at instanceof FsException known
                ? known.error()
                : new FsError.Internal(at.getClass().getSimpleName() + ": " + at.getMessage());
    }
}
