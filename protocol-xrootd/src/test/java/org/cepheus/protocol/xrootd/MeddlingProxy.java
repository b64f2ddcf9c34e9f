package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * Stands between a client and a server on loopback, keeps the first bytes of what clients say, and
 * damages one byte of either side or cuts the connection where it is told to, once.
 */
final class MeddlingProxy implements AutoCloseable {
    private static final int KEPT_BYTES = 4096;
    private static final int HANDSHAKE_BYTES = 20;
    private static final int RETRY = 1;

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<ByteArrayOutputStream> said = new CopyOnWriteArrayList<>();
    private final AtomicLong damageAt = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong cutAt = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong cutAnswersAt = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong damagedPage = new AtomicLong(-1);

    MeddlingProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Flips the bits of one byte of what a client sends. */
    MeddlingProxy damagingByte(long position) {
        damageAt.set(position);
        return this;
    }

    /** Cuts the connection of the first client that has sent so much. */
    MeddlingProxy cuttingAfter(long position) {
        cutAt.set(position);
        return this;
    }

    /** Cuts the connection of the first client that was sent so much. */
    MeddlingProxy cuttingAnswersAfter(long position) {
        cutAnswersAt.set(position);
        return this;
    }

    /** Flips the bits of one byte of that page of a file in the answer to a pgread, once. */
    MeddlingProxy damagingPage(long offset) {
        damagedPage.set(offset);
        return this;
    }

    /** Where the pages begin that a client asked for again as damaged, with pgread. */
    List<Long> pagesAskedForAgain() {
        var pages = new ArrayList<Long>();
        for (int connection = 0; connection < connections(); connection++) {
            ByteBuf in = Unpooled.wrappedBuffer(said(connection));
            int at = HANDSHAKE_BYTES;
            while (at + RequestCodec.HEADER_BYTES <= in.writerIndex()) {
                int length = RequestCodec.HEADER_BYTES + RequestCodec.dataLength(in, at);
                if (RequestCodec.requestId(in, at) == XrootdRequest.PGREAD
                        && RequestCodec.decode(in, at, length)
                                instanceof XrootdRequest.PageRead page
                        && (page.flags() & RETRY) != 0) {
                    pages.add(page.offset());
                }
                at += length;
            }
        }
        return pages;
    }

    int connections() {
        return said.size();
    }

    /** The first bytes that the client of that connection said. */
    byte[] said(int connection) {
        ByteArrayOutputStream bytes = said.get(connection);
        synchronized (bytes) {
            return bytes.toByteArray();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                var kept = new ByteArrayOutputStream();
                said.add(kept);
                var cutting = new AtomicBoolean();
                Thread.ofVirtual()
                        .start(() -> pass(client, server, kept, damageAt, cutAt, cutting));
                Thread.ofVirtual().start(() -> passAnswers(server, client, cutting));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void passAnswers(Socket server, Socket client, AtomicBoolean cutting) {
        if (damagedPage.get() >= 0) {
            try (server;
                    client) {
                passAnswersByFrame(server, client);
            } catch (IOException e) {
                // One side has closed; so does the other.
            }
        } else {
            pass(
                    server,
                    client,
                    new ByteArrayOutputStream(),
                    new AtomicLong(Long.MAX_VALUE),
                    cutAnswersAt,
                    cutting);
        }
    }

    private void passAnswersByFrame(Socket server, Socket client) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        OutputStream out = client.getOutputStream();
        while (true) {
            byte[] header = new byte[ResponseCodec.HEADER_BYTES];
            in.readFully(header);
            var head = ByteBuffer.wrap(header);
            byte[] body = in.readNBytes(head.getInt(4));
            out.write(header);
            out.write(body);
            if (Short.toUnsignedInt(head.getShort(2)) == XrootdResponse.STATUS) {
                var status = ByteBuffer.wrap(body);
                byte[] units = in.readNBytes(status.getInt(12));
                damagePage(status.getLong(16), units);
                out.write(units);
            }
        }
    }

    private void damagePage(long offset, byte[] units) {
        long page = damagedPage.get();
        int before = (int) Math.max(0, page - offset);
        int at = PageLayout.wireBytes(offset, before) + PageLayout.CHECKSUM_BYTES;
        if (page >= offset && at < units.length && damagedPage.compareAndSet(page, -1)) {
            units[at] ^= (byte) 0xff;
        }
    }

    private static void pass(
            Socket from,
            Socket to,
            ByteArrayOutputStream kept,
            AtomicLong damage,
            AtomicLong cut,
            AtomicBoolean cutting) {
        try {
            passAll(from, to, kept, damage, cut, cutting);
        } catch (IOException e) {
            // One side has closed; so does the other.
        }
        if (!cutting.get()) {
            close(from);
            close(to);
        }
    }

    private static void passAll(
            Socket from,
            Socket to,
            ByteArrayOutputStream kept,
            AtomicLong damage,
            AtomicLong cut,
            AtomicBoolean cutting)
            throws IOException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        var buffer = new byte[65_536];
        long position = 0;
        int count;
        while ((count = in.read(buffer)) > 0) {
            long damageAt = damage.get();
            if (damageAt >= position && damageAt < position + count) {
                damage.set(Long.MAX_VALUE);
                buffer[(int) (damageAt - position)] ^= (byte) 0xff;
            }
            synchronized (kept) {
                kept.write(buffer, 0, Math.min(count, Math.max(0, KEPT_BYTES - kept.size())));
            }
            out.write(buffer, 0, count);
            position += count;
            if (position >= cut.get()) {
                cut.set(Long.MAX_VALUE);
                cutting.set(true);
                cutGently(from, to, in, buffer);
                return;
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nobody is left to hear of it.
        }
    }

    /**
     * The one who talks sees the end of the connection by reading: xrdcp 5.5.3 takes a broken pipe
     * while it writes for a fault of its own and gives up.
     */
    private static void cutGently(Socket from, Socket to, InputStream in, byte[] buffer)
            throws IOException {
        to.close();
        from.shutdownOutput();
        while (in.read(buffer) > 0) {
            // Dropped.
        }
        from.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
