package org.cepheus.protocol.xrootd;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;

/**
 * Moves a connection to the event loop of the session that it will be a stream of, so that a
 * session with any number of streams is owned by one thread.
 */
final class StreamBinding {
    private StreamBinding() {}

    /**
     * Called on the channel's own event loop; nothing is read while it moves.
     *
     * @param arrived runs on the target's event loop
     * @param lost runs when the connection was closed meanwhile, which nobody else would hear of
     */
    static void move(Channel channel, EventLoop target, Runnable arrived, Runnable lost) {
        if (target.inEventLoop()) {
            arrived.run();
            return;
        }
        Consumer<ChannelFuture> registered =
                future -> {
                    if (future.isSuccess()) {
                        target.execute(arrived);
                    } else {
                        channel.close();
                        lost.run();
                    }
                };
        channel.deregister()
                .addListener(_ ->
                        target.register(channel)
                                .addListener((ChannelFuture future) -> registered.accept(future)));
    }
}
