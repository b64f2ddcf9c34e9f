package org.cepheus.domain.port;

import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.LeaseCommand;

/**
 * What an FST asks of the namespace for the uploads it receives. Every call is idempotent by state
 * and is repeated across a failover until its answer is known or its deadline is over ({@code
 * Unavailable}: may have happened, repeat is safe).
 */
public interface LeaseService {
    /** Wants the reservation to be at least so many bytes; answers what it is now. */
    CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes);

    /** The name becomes visible; {@code LeaseGone} means that the content was aborted. */
    CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit);

    CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason);

    /** Tells that a client has come with the lease's ticket; carried by the next renewal. */
    void opened(LeaseRef lease);
}
