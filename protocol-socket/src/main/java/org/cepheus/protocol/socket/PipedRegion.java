package org.cepheus.protocol.socket;

import io.netty.channel.Channel;
import io.netty.channel.FileRegion;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import org.cepheus.domain.port.PipedBytes;

/** Bytes in a pipe as something that a channel sends: they go to its socket, not through it. */
public final class PipedRegion extends AbstractReferenceCounted implements FileRegion {
    /** Fewer are copied: a pipe costs more calls than it saves. */
    public static final int WORTHWHILE_BYTES = 64 * 1024;

    private final UnixChannel channel;
    private final PipedBytes bytes;
    private final int count;

    /** The bytes are this region's to close. */
    public PipedRegion(UnixChannel channel, PipedBytes bytes) {
        this.channel = channel;
        this.bytes = bytes;
        this.count = bytes.left();
    }

    /** The channel's socket, if what is written to it goes there as it is. */
    public static Optional<UnixChannel> socketOf(Channel channel) {
        return channel instanceof UnixChannel socket
                        && channel.pipeline().get(SslHandler.class) == null
                ? Optional.of(socket)
                : Optional.empty();
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    @Deprecated
    public long transfered() {
        return transferred();
    }

    @Override
    public long transferred() {
        return (long) count - bytes.left();
    }

    @Override
    public long count() {
        return count;
    }

    /** The channel calls this when its socket may take more; {@code target} is around the same. */
    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        return bytes.left() == 0 ? 0 : bytes.moveTo(channel.fd().intValue());
    }

    @Override
    protected void deallocate() {
        bytes.close();
    }

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return this;
    }

    @Override
    public FileRegion touch(Object hint) {
        return this;
    }
}
