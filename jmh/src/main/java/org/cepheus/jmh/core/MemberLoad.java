package org.cepheus.jmh.core;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongFunction;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.raft.Aggregator;

/**
 * Keeps so many creates under way in one aggregator, from one thread: replies come on the apply
 * thread and are only passed on there, as a server would. An open is followed by its commit.
 */
final class MemberLoad {
    private final Aggregator aggregator;
    private final LongFunction<Command> creates;
    private final long limit;
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private long next;
    private int outstanding;

    /**
     * Runs the creates of these numbers.
     *
     * @param limit the first number that is not run
     */
    MemberLoad(Aggregator aggregator, LongFunction<Command> creates, long first, long limit) {
        this.aggregator = aggregator;
        this.creates = creates;
        this.next = first;
        this.limit = limit;
    }

    /** Runs creates of all numbers there are. */
    MemberLoad(Aggregator aggregator, LongFunction<Command> creates) {
        this(aggregator, creates, 0, Long.MAX_VALUE);
    }

    /** Starts so many creates. */
    void begin(int count) {
        for (int i = 0; i < count; i++) {
            create();
        }
    }

    /** How many creates ended in that time, or until none is left; a new one followed each. */
    long runFor(double seconds) throws InterruptedException {
        long done = 0;
        long start = System.nanoTime();
        long nanos = (long) (seconds * 1e9);
        while (outstanding > 0 && System.nanoTime() - start < nanos) {
            if (isCreated(replies.take())) {
                done++;
                create();
            }
        }
        return done;
    }

    /** Waits for what is under way. */
    void end() throws InterruptedException {
        while (outstanding > 0) {
            isCreated(replies.take());
        }
    }

    private boolean isCreated(Reply reply) {
        return switch (reply) {
            case Reply.Opened opened -> {
                submit(Workload.commit(opened.lease()));
                yield false;
            }
            case Reply.Refused refused ->
                    throw new IllegalStateException("refused: " + refused.error().message());
            case Reply _ -> {
                outstanding--;
                yield true;
            }
        };
    }

    private void create() {
        if (next < limit) {
            outstanding++;
            submit(creates.apply(next++));
        }
    }

    private void submit(Command command) {
        aggregator.submit(new LogEntry.Item(Workload.CALLER, command)).thenAccept(replies::add);
    }
}
