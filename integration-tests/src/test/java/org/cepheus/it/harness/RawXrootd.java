package org.cepheus.it.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * An XRootD client that says what it is told and takes answers only when it is told to, on one
 * socket and without a thread. Its kernel buffers are small, so that what it does not take stays at
 * the server.
 */
public final class RawXrootd implements AutoCloseable {
    private static final int DEADLINE_MILLIS = 60_000;
    private static final int KERNEL_BYTES = 64 * 1024;
    private static final int STREAM = 9;
    private static final String ME = System.getProperty("user.name");
    private static final Bytes CREDENTIAL =
            Bytes.copyOf("unix\0%s %s".formatted(ME, ME).getBytes(US_ASCII));

    private final Socket socket;
    private final DataInputStream in;
    private int handle = -1;

    private RawXrootd(int port) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(KERNEL_BYTES);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(DEADLINE_MILLIS);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), DEADLINE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Connects and logs in. */
    public static RawXrootd login(int port) {
        try {
            var client = new RawXrootd(port);
            client.say(Unpooled.buffer().writeZero(12).writeInt(4).writeInt(2012));
            client.answer();
            byte[] loggedIn = client.ask(new XrootdRequest.Login(1, ME, 0, 0, 5, "")).body();
            if (!ResponseCodec.loggedIn(Bytes.copyOf(loggedIn)).security().isEmpty()) {
                requireOk("login", client.ask(new XrootdRequest.Auth("unix", CREDENTIAL)));
            }
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a path at the manager and then, with the ticket, at the FST that it is sent to. */
    public static RawXrootd open(int managerPort, String path, int options) {
        XrootdResponse.Redirect to;
        try (RawXrootd manager = login(managerPort)) {
            XrootdResponse answer =
                    manager.ask(new XrootdRequest.Open(0644, options, 0, path)).decoded();
            if (!(answer instanceof XrootdResponse.Redirect redirect)) {
                throw new AssertionError("open of %s: %s".formatted(path, answer));
            }
            to = redirect;
        }
        RawXrootd client = login(to.port());
        XrootdResponse opened =
                client.ask(new XrootdRequest.Open(0644, options, 0, path + "?" + to.opaque()))
                        .decoded();
        if (!(opened instanceof XrootdResponse.Ok(var body))) {
            throw new AssertionError("open of %s at the FST: %s".formatted(path, opened));
        }
        client.handle = ResponseCodec.opened(body).handle();
        return client;
    }

    /** The handle of the file that was opened. */
    public int handle() {
        return handle;
    }

    /** An answer's status and the bytes behind its header, as they came. */
    @SuppressWarnings("ArrayRecordComponent") // Looked at once, never compared.
    public record Answer(int streamId, int status, byte[] body) {
        public XrootdResponse decoded() {
            ByteBuf frame = Unpooled.buffer();
            ResponseCodec.header(frame, streamId, status, body.length);
            frame.writeBytes(body);
            return ResponseCodec.decode(frame, 0, frame.readableBytes());
        }
    }

    /** Sends a request and waits for the one answer. */
    public Answer ask(XrootdRequest request) {
        send(request);
        return answer();
    }

    public RawXrootd send(XrootdRequest request) {
        ByteBuf out = Unpooled.buffer();
        RequestCodec.encode(STREAM, request, out);
        say(out);
        return this;
    }

    /** Sends bytes of file data. */
    public RawXrootd send(byte[] bytes) {
        say(Unpooled.wrappedBuffer(bytes));
        return this;
    }

    private void say(ByteBuf out) {
        try {
            socket.getOutputStream().write(ByteBufUtil.getBytes(out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next answer. */
    public Answer answer() {
        try {
            int streamId = in.readUnsignedShort();
            int status = in.readUnsignedShort();
            return new Answer(streamId, status, in.readNBytes(in.readInt()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of a read, however many parts they come in. */
    public byte[] read(long offset, int length) {
        send(new XrootdRequest.Read(handle, offset, length, 0));
        ByteBuf bytes = Unpooled.buffer(length);
        while (true) {
            Answer part = answer();
            if (part.status() != XrootdResponse.OK && part.status() != XrootdResponse.OK_SO_FAR) {
                throw new AssertionError("read at %d: %s".formatted(offset, part.decoded()));
            }
            bytes.writeBytes(part.body());
            if (part.status() == XrootdResponse.OK) {
                return ByteBufUtil.getBytes(bytes);
            }
        }
    }

    /** Writes, and waits until the server has it. */
    public void write(long offset, byte[] bytes) {
        send(new XrootdRequest.Write(handle, offset, bytes.length, 0)).send(bytes);
        requireOk("write", answer());
    }

    /** Closes the file. */
    public void closeFile() {
        requireOk("close", ask(new XrootdRequest.Close(handle)));
    }

    private static void requireOk(String what, Answer answer) {
        if (answer.status() != XrootdResponse.OK) {
            throw new AssertionError("%s: %s".formatted(what, answer.decoded()));
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
