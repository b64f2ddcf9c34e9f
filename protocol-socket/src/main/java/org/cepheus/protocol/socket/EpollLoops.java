package org.cepheus.protocol.socket;

import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Makes the event loops that servers and clients run on. Where another processor can run meanwhile,
 * they await what comes soon without sleeping ({@link ShortWaits}). The caller shuts them down.
 */
public final class EpollLoops {
    private static final int DEFAULT_EVENTS = 0;

    private EpollLoops() {}

    /**
     * @param threads at least 1
     * @param name prefix of the threads' names
     */
    public static EventLoopGroup start(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory(name, true),
                EpollIoHandler.newFactory(DEFAULT_EVENTS, waits()));
    }

    private static SelectStrategyFactory waits() {
        return Runtime.getRuntime().availableProcessors() > 1
                ? () -> new ShortWaits(System::nanoTime)
                : DefaultSelectStrategyFactory.INSTANCE;
    }
}
