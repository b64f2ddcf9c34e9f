package org.cepheus.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A connection on loopback that says exactly what it is told, and hears what comes. */
public final class RawSocket implements AutoCloseable {
    /** A server that neither answers nor closes for so long hangs. */
    private static final int DEADLINE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    private RawSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    public static RawSocket connect(int port) {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.setTcpNoDelay(true);
            return new RawSocket(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says it; a server that has hung up already is told nothing, which is no failure. */
    public RawSocket send(byte... bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException _) {
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The same for a text of Latin-1, whose newlines become CRLF. */
    public RawSocket say(String text) {
        return send(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Says no more; the server may go on. */
    public RawSocket endSending() {
        try {
            socket.shutdownOutput();
        } catch (SocketException _) {
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The next bytes, fewer if the server closes; fails when they do not come. */
    public byte[] take(int count) {
        try {
            return in.readNBytes(count);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("neither an answer nor an end came", e);
        } catch (SocketException _) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything until the server closes, which it has to do. */
    public byte[] rest() {
        return take(Integer.MAX_VALUE);
    }

    /** The same as a text of Latin-1. */
    public String restAsText() {
        return new String(rest(), StandardCharsets.ISO_8859_1);
    }

    /** What the server said up to the end of a head of HTTP. */
    public String head() {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            byte[] next = take(1);
            if (next.length == 0) {
                break;
            }
            head.append((char) (next[0] & 0xff));
        }
        return head.toString();
    }

    /** True if the server has closed, without waiting for it; what it says is dropped. */
    public boolean isClosed() {
        try {
            socket.setSoTimeout(1);
            for (int skipped = 0; skipped < 1 << 16; skipped++) {
                if (in.read() < 0) {
                    return true;
                }
            }
            return false;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
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
