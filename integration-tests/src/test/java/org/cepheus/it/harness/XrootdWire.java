package org.cepheus.it.harness;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** XRootD spoken by hand: sound requests, or bytes that no client sends. */
public final class XrootdWire implements AutoCloseable {
    /** What opens a file that has to be new. */
    public static final int CREATE = XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE;

    /** What opens a file to read it. */
    public static final int READ = XrootdRequest.Open.FOR_READ;

    private static final int SESSION_BYTES = 16;

    /** The stream of all requests. */
    private static final int STREAM = 9;

    private final RawSocket socket;

    private XrootdWire(RawSocket socket) {
        this.socket = socket;
    }

    /**
     * An answer to a request.
     *
     * @param status as the protocol numbers them, 0 for ok
     */
    @SuppressWarnings("ArrayRecordComponent") // Looked at once, never compared.
    public record Answer(int status, byte[] body) {
        /** What it says. */
        public XrootdResponse decoded() {
            ByteBuf frame = Unpooled.buffer();
            ResponseCodec.header(frame, STREAM, status, body.length);
            frame.writeBytes(body);
            return ResponseCodec.decode(frame, 0, frame.readableBytes());
        }

        /** 0 if it is no error. */
        public int error() {
            return status == XrootdResponse.ERROR ? ByteBuffer.wrap(body).getInt() : 0;
        }

        /** Of an open that has to have succeeded. */
        public int handle() {
            if (status != XrootdResponse.OK) {
                throw new AssertionError("not opened: " + decoded());
            }
            return ByteBuffer.wrap(body).getInt();
        }

        /** Which it has to be. */
        public XrootdResponse.Redirect redirect() {
            if (decoded() instanceof XrootdResponse.Redirect redirect) {
                return redirect;
            }
            throw new AssertionError("no redirect: " + decoded());
        }
    }

    /** The handshake is done, the login is not. */
    public static XrootdWire greeted(int port) {
        var wire = new XrootdWire(RawSocket.connect(port));
        wire.socket.send(ByteBuffer.allocate(20).putInt(12, 4).putInt(16, 2012).array());
        wire.answer();
        return wire;
    }

    /** Logged in, as the user who runs the tests where somebody asks who it is. */
    public static XrootdWire loggedIn(int port) {
        XrootdWire wire = greeted(port);
        Answer login = wire.ask(new XrootdRequest.Login(1, "me", 0, 0, 5, ""));
        if (login.body().length > SESSION_BYTES) {
            String user = System.getProperty("user.name");
            String credential = "unix\0%s %s\0".formatted(user, user);
            wire.ask(
                    new XrootdRequest.Auth(
                            "unix", Bytes.copyOf(credential.getBytes(StandardCharsets.UTF_8))));
        }
        return wire;
    }

    /** The frame of a request. */
    public static byte[] bytes(XrootdRequest request) {
        ByteBuf out = Unpooled.buffer();
        RequestCodec.encode(STREAM, request, out);
        return ByteBufUtil.getBytes(out);
    }

    /** The frame with a data length that it should not have. */
    public static byte[] damaged(byte[] frame, int dataLength) {
        byte[] out = frame.clone();
        ByteBuffer.wrap(out).putInt(RequestCodec.HEADER_BYTES - Integer.BYTES, dataLength);
        return out;
    }

    /** Says these bytes. */
    public XrootdWire send(byte... bytes) {
        socket.send(bytes);
        return this;
    }

    /** Says a request and hears its answer. */
    public Answer ask(XrootdRequest request) {
        return send(bytes(request)).answer();
    }

    /** A write with its data. */
    public Answer write(int handle, long offset, byte[] data) {
        return send(bytes(new XrootdRequest.Write(handle, offset, data.length, 0)))
                .send(data)
                .answer();
    }

    /** The next answer; of pages only what says where they belong. */
    public Answer answer() {
        var header = ByteBuffer.wrap(socket.take(ResponseCodec.HEADER_BYTES));
        if (header.remaining() < ResponseCodec.HEADER_BYTES) {
            throw new AssertionError("the server closed instead of an answer");
        }
        byte[] body = socket.take(header.getInt(4));
        int status = header.getShort(2);
        if (status == XrootdResponse.STATUS) {
            socket.take(ByteBuffer.wrap(body).getInt(12));
        }
        return new Answer(status, body);
    }

    /** Says no more, and hears the server to its end. */
    public byte[] endAndHear() {
        return socket.endSending().rest();
    }

    @Override
    public void close() {
        socket.close();
    }
}
