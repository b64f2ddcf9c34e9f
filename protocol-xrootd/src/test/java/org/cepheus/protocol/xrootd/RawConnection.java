package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** A client that says exactly what it is told, byte by byte if need be. */
final class RawConnection implements AutoCloseable {
    private static final int DEADLINE_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(DEADLINE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** An answer: stream, status, and the body as it came. */
    @SuppressWarnings("ArrayRecordComponent") // Looked at once, never compared.
    record Answer(int streamId, int status, byte[] body) {
        XrootdResponse decoded() {
            ByteBuf frame = Unpooled.buffer();
            ResponseCodec.header(
                    frame,
                    streamId,
                    status,
                    status == XrootdResponse.STATUS
                            ? ResponseCodec.STATUS_BODY_BYTES
                            : body.length);
            frame.writeBytes(body);
            return ResponseCodec.decode(frame, 0, frame.readableBytes());
        }

        int errorCode() {
            return decoded() instanceof XrootdResponse.Failed failed ? failed.code() : 0;
        }
    }

    RawConnection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawConnection send(int streamId, XrootdRequest request) throws IOException {
        return send(bytes(streamId, request));
    }

    static byte[] bytes(int streamId, XrootdRequest request) {
        ByteBuf out = Unpooled.buffer();
        RequestCodec.encode(streamId, request, out);
        return ByteBufUtil.getBytes(out);
    }

    static byte[] hello() {
        return ByteBufUtil.getBytes(Unpooled.buffer().writeZero(12).writeInt(4).writeInt(2012));
    }

    /** Handshake and login, on a server that wants no more. */
    RawConnection loggedIn() throws IOException {
        send(hello());
        answer();
        send(1, new XrootdRequest.Login(1, "me", 0, 0, 5, ""));
        answer();
        return this;
    }

    Answer answer() throws IOException {
        int streamId = in.readUnsignedShort();
        int status = in.readUnsignedShort();
        int length = in.readInt();
        byte[] body = in.readNBytes(length);
        if (status == XrootdResponse.STATUS) {
            int more = Unpooled.wrappedBuffer(body).getInt(12);
            byte[] rest = in.readNBytes(more);
            body = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(body, rest));
        }
        return new Answer(streamId, status, body);
    }

    Answer ask(XrootdRequest request) throws IOException {
        return send(9, request).answer();
    }

    /** Says one byte whenever the server has been silent for so long; true once it has closed. */
    boolean isClosedWhileDripping(byte[] bytes, int pauseMillis) throws IOException {
        socket.setSoTimeout(pauseMillis);
        for (byte each : bytes) {
            try {
                send(new byte[] {each});
                return in.read() < 0;
            } catch (SocketTimeoutException e) {
                // Not yet: the next byte.
            } catch (SocketException e) {
                return true;
            }
        }
        socket.setSoTimeout(DEADLINE_MILLIS);
        return false;
    }

    /** Ends what this side says; the other may go on. */
    RawConnection endSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Everything that comes until the server closes. */
    long drain() throws IOException {
        try {
            return in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketException e) {
            return -1;
        }
    }

    /** True when the server has closed the connection, which is waited for. */
    boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
