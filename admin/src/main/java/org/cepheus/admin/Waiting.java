package org.cepheus.admin;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** Waits on the thread of a request, which is a virtual one, for what the namespace answers. */
final class Waiting {
    private static final long DEADLINE_SECONDS = 30;

    private Waiting() {}

    static <T> T on(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new FsException(FsException.errorOf(e));
        } catch (TimeoutException e) {
            throw new FsException(
                    new FsError.Unavailable(
                            "the namespace did not answer within %d s; a change may have happened"
                                    .formatted(DEADLINE_SECONDS),
                            5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(new FsError.Unavailable("this server is stopping", 5));
        }
    }
}
