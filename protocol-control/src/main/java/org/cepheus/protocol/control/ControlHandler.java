package org.cepheus.protocol.control;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.LeaseService;
import org.cepheus.domain.port.NamespaceService;

/**
 * What the MGM does when FSTs call. Everything is called on an event loop and must not block; the
 * stages may complete on any thread. A stage that fails with {@code NotLeader} sends the FST to the
 * leader and closes its connection.
 */
public interface ControlHandler {
    /**
     * The latest boot of an FST that is known here; {@code Long.MIN_VALUE} if there was none.
     * Whoever greets with an earlier one is refused in the end, or has a clock that went back.
     */
    long latestBoot(int fstId);

    /** An FST that proved its key says hello; registered before the stage completes. */
    CompletionStage<HelloAccepted> register(Hello hello);

    /** Comes each second from every registered FST. */
    void heartbeat(int fstId, Heartbeat heartbeat);

    /** Keeps the session alive; names leases whose clients have come since the last time. */
    CompletionStage<Void> renew(int fstId, long bootId, List<LeaseRef> opened);

    /** As {@link LeaseService#extend}. */
    CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes);

    /** As {@link LeaseService#commit}. */
    CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit);

    /** As {@link LeaseService#abort}. */
    CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason);

    /** Answers for clients that use an FST as their door. */
    NamespaceService namespace();

    /**
     * The connection of a registered FST is gone; called once for each success of {@link #register}
     * that was not overtaken by another connection of the same FST.
     */
    void disconnected(int fstId);
}
