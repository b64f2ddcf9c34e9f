package org.cepheus.protocol.xrootd;

import io.netty.channel.Channel;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * How much file data has to lie in a socket before the event loop looks at it. While much is to
 * come, the kernel wakes the loop for a lot at a time (SO_RCVLOWAT) and not for each packet, which
 * costs more than the bytes themselves. Confined to the event loop.
 */
final class WakeUps {
    /** Worth waking up for; less than the kernel takes without the loop. */
    static final int LOT_BYTES = 128 * 1024;

    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVLOWAT = 18;
    private static final IntegerUnixChannelOption LEAST =
            new IntegerUnixChannelOption("SO_RCVLOWAT", SOL_SOCKET, SO_RCVLOWAT);

    private final Channel channel;
    private boolean forALot;
    private boolean slow;

    WakeUps(Channel channel) {
        this.channel = channel;
    }

    /** So many bytes of file data are certain to come, or will if the client keeps its word. */
    void expect(long bytes) {
        if (bytes == 0) {
            slow = false;
        }
        wake(bytes >= LOT_BYTES && !slow);
    }

    /** This data comes slowly: its client is to be heard. */
    void atAnything() {
        slow = true;
        wake(false);
    }

    private void wake(boolean lot) {
        if (lot != forALot && channel.isActive()) {
            forALot = lot;
            channel.config().setOption(LEAST, lot ? LOT_BYTES : 1);
        }
    }
}
