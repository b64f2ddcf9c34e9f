package org.cepheus.protocol.xrootd;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends the connection of a client that keeps us waiting: before its login, within a request, or for
 * its answers to be taken. A request counts from its first byte, so that it cannot be dripped; file
 * data counts from its last one, as a slow line is no crime. Confined to the event loop.
 */
final class ClientWatch implements Runnable {
    /** What it looks at. */
    interface Client {
        boolean isLoggedIn();

        /** The number of the request that has begun and is not complete, or -1. */
        long unfinishedRequest();

        /** True while file data is owed. */
        boolean owesData();

        /** File data comes slowly: whatever is there has to be taken, or nothing will be heard. */
        void takeLittle();

        /** True while the client waits for us. */
        boolean isWaiting();
    }

    private final Channel channel;
    private final Patience patience;
    private final Client client;
    private final Consumer<String> log;
    private final long connectedNanos = System.nanoTime();
    private final long pauseMillis;
    private EventLoop loop;
    private Future<?> ticks;
    private long heardNanos = connectedNanos;
    private long heardBefore = connectedNanos;
    private long unfinished = -1;
    private long unfinishedNanos;
    private boolean owed;
    private long unsent;
    private long sentNanos = connectedNanos;

    private ClientWatch(Channel channel, Patience patience, Client client, Consumer<String> log) {
        this.channel = channel;
        this.patience = patience;
        this.client = client;
        this.log = log;
        this.pauseMillis = Math.max(10, shortest(patience) / 4);
        this.loop = channel.eventLoop();
        this.ticks = schedule();
    }

    private Future<?> schedule() {
        return loop.scheduleWithFixedDelay(this, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
    }

    /**
     * @param log is told why the connection of a client that is at fault is closed
     */
    static ClientWatch start(
            Channel channel, Patience patience, Client client, Consumer<String> log) {
        return new ClientWatch(channel, patience, client, log);
    }

    private static long shortest(Patience patience) {
        return Math.min(patience.login().toMillis(), patience.stall().toMillis());
    }

    /** Bytes came. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    void stop() {
        ticks.cancel(false);
    }

    /** Looks whether it is time. */
    @Override
    public void run() {
        if (!channel.eventLoop().inEventLoop()) {
            // The connection has moved to the loop of the session that it serves.
            ticks.cancel(false);
            loop = channel.eventLoop();
            ticks = schedule();
            return;
        }
        long now = System.nanoTime();
        follow(now);
        String reason = reason(now);
        if (reason != null) {
            log.accept("closed: " + reason);
            channel.close();
        } else if (!client.isWaiting() && now - heardNanos > patience.idle().toNanos()) {
            channel.close(); // No fault, and no news.
        }
    }

    /** What began since the last look counts from now. */
    private void follow(long now) {
        long request = client.unfinishedRequest();
        if (request != unfinished) {
            unfinished = request;
            unfinishedNanos = now;
        }
        if (client.owesData() != owed) {
            owed = !owed;
            heardNanos = now;
        }
        if (owed && heardNanos == heardBefore) {
            client.takeLittle();
        }
        heardBefore = heardNanos;
        if (!channel.config().isAutoRead()) {
            // We do not listen: the client cannot be late.
            heardNanos = now;
            unfinishedNanos = now;
        }
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        long left = out == null ? 0 : out.totalPendingWriteBytes() - out.currentProgress();
        if (left != unsent || left == 0) {
            unsent = left;
            sentNanos = now;
        }
    }

    private @Nullable String reason(long now) {
        if (!client.isLoggedIn() && now - connectedNanos > patience.login().toNanos()) {
            return "it did not log in within %d s".formatted(patience.login().toSeconds());
        }
        long stall = patience.stall().toNanos();
        if (unfinished >= 0 && now - unfinishedNanos > stall) {
            return "it sent a part of a request and not the rest";
        }
        if (owed && now - heardNanos > stall) {
            return "it announced data and did not send it";
        }
        return now - sentNanos > stall ? "it did not take its answers" : null;
    }
}
