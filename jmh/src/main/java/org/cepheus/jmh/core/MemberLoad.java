package org.cepheus.jmh.core;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.raft.Aggregator;

/**
 * Keeps so many creates under way in one aggregator, from one thread: replies come on the apply
 * thread and are only passed on there, as a server would.
 */
final class MemberLoad {
    private final Aggregator aggregator;
    private final int parents;
    private final boolean directories;
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private long made;
    private int outstanding;

    MemberLoad(Aggregator aggregator, int parents, boolean directories) {
        this.aggregator = aggregator;
        this.parents = parents;
        this.directories = directories;
    }

    /** Makes the parents and starts so many creates. */
    void begin(int creates) throws InterruptedException {
        for (int i = 0; i < parents; i++) {
            submit(Workload.makeDirectory(Workload.directory(i)));
            good(replies.take());
        }
        for (int i = 0; i < creates; i++) {
            create();
        }
        outstanding = creates;
    }

    /** How many creates ended in that time; each was followed by a new one. */
    long runFor(double seconds) throws InterruptedException {
        long done = 0;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            Reply reply = good(replies.take());
            if (reply instanceof Reply.Opened opened) {
                submit(Workload.commit(opened.lease()));
            } else {
                done++;
                create();
            }
        }
        return done;
    }

    /** Waits for what is under way. */
    void end() throws InterruptedException {
        while (outstanding > 0) {
            Reply reply = good(replies.take());
            if (reply instanceof Reply.Opened opened) {
                submit(Workload.commit(opened.lease()));
            } else {
                outstanding--;
            }
        }
    }

    private void create() {
        var path = Workload.file(parents, made++);
        submit(directories ? Workload.makeDirectory(path) : Workload.open(path));
    }

    private void submit(Command command) {
        aggregator.submit(new LogEntry.Item(Workload.CALLER, command)).thenAccept(replies::add);
    }

    private static Reply good(Reply reply) {
        if (reply instanceof Reply.Refused refused) {
            throw new IllegalStateException("refused: " + refused.error().message());
        }
        return reply;
    }
}
