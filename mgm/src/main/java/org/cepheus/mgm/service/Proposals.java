package org.cepheus.mgm.service;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;

/** The one way a command gets into the log: refusals become exceptions, replies results. */
public final class Proposals {
    private static final int FULL_RETRY_SECONDS = 30;

    private final Function<LogEntry.Item, CompletableFuture<Reply>> log;
    private final Supplier<Optional<String>> diskTrouble;

    /**
     * Makes the way.
     *
     * @param log usually the aggregator's submit
     * @param diskTrouble says why nothing may be written now, if so
     */
    public Proposals(
            Function<LogEntry.Item, CompletableFuture<Reply>> log,
            Supplier<Optional<String>> diskTrouble) {
        this.log = log;
        this.diskTrouble = diskTrouble;
    }

    /** The reply, or an FsException: also for what the rules refused. */
    public CompletableFuture<Reply> propose(Caller caller, Command command) {
        Optional<String> trouble = diskTrouble.get();
        if (trouble.isPresent()) {
            return CompletableFuture.failedFuture(new FsException(refusal(command, trouble.get())));
        }
        return log.apply(new LogEntry.Item(caller, command))
                .thenApply(reply -> {
                    if (reply instanceof Reply.Refused(FsError error)) {
                        throw new FsException(error);
                    }
                    return reply;
                });
    }

    /** The same where nothing more than done can come back. */
    public CompletableFuture<Void> propose(Command command) {
        return propose(Caller.SYSTEM, command).thenApply(Proposals::nothing);
    }

    @SuppressWarnings("NullAway") // The only value of Void.
    static Void nothing(Reply reply) {
        return null;
    }

    // Who is in the middle of an upload shall come back; who begins something shall not wait.
    private static FsError refusal(Command command, String trouble) {
        return switch (command) {
            case LeaseCommand.OpenForWrite _ -> new FsError.NoSpace(trouble);
            case Mutation _, OperatorCommand _ -> new FsError.NoSpace(trouble);
            case LeaseCommand.ExtendReservation _,
                    LeaseCommand.Commit _,
                    LeaseCommand.Abort _,
                    FleetCommand _,
                    QuotaCommand _ ->
                    new FsError.Unavailable(trouble, FULL_RETRY_SECONDS);
        };
    }
}
