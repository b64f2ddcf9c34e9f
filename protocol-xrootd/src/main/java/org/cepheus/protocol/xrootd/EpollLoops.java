package org.cepheus.protocol.xrootd;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Makes the event loops that servers and clients run on. The caller shuts them down. */
public final class EpollLoops {
    private EpollLoops() {}

    /**
     * @param threads at least 1
     * @param name prefix of the threads' names
     */
    public static EventLoopGroup start(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory(name, true), EpollIoHandler.newFactory());
    }
}
