package org.cepheus.jmh.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A logged-in XRootD connection that waits for one answer at a time. */
final class Link implements AutoCloseable {
    /** Response status of a redirect. */
    static final int REDIRECT = 4004;

    /** Response status of an answer that goes on in another one. */
    static final int MORE = 4000;

    private static final int OK = 0;
    private static final int ERROR = 4003;
    private static final int RESPONSE_HEADER = 8;
    private static final int SESSION_ID = 16;

    private final SocketChannel channel;
    private ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);
    private boolean redirected;
    private Receiver receiver = (_, _) -> {};

    private Link(SocketChannel channel) {
        this.channel = channel;
    }

    /** Gets the answer to the request before. */
    @FunctionalInterface
    interface Receiver {
        /** Status is ok, more or redirect; the body is valid during the call. */
        void answered(int status, ByteBuffer body) throws IOException;
    }

    /** Connects and logs in, as the user of this process where the server asks who it is. */
    static Link connect(String host, int port) throws IOException {
        var link = new Link(SocketChannel.open(new InetSocketAddress(host, port)));
        link.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        link.send(Requests.hello());
        link.awaitAnswer();
        link.awaitAnswer();
        link.send(Requests.login());
        ByteBuffer body = link.awaitAnswer();
        if (body.remaining() > SESSION_ID + 1) {
            link.send(Requests.unixCredential());
            link.awaitAnswer();
        }
        return link;
    }

    void register(Selector selector) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Sends a request whose answer goes to this receiver. */
    void ask(ByteBuffer request, Receiver receiver) throws IOException {
        this.receiver = receiver;
        send(request);
    }

    /** Sends all of it; a full socket buffer is waited for, the server does read. */
    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Reads what is there, and hands over the answer once it is whole. */
    void readable() {
        try {
            fill();
            while (isWhole()) {
                deliver();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void deliver() throws IOException {
        int status = in.getShort(2) & 0xFFFF;
        int length = in.getInt(4);
        ByteBuffer body = in.slice(RESPONSE_HEADER, length);
        requireGood(status, body);
        int rest = in.position() - RESPONSE_HEADER - length;
        if (rest == 0) {
            in.clear();
            receiver.answered(status, body);
        } else {
            receiver.answered(status, body);
            in.limit(in.position()).position(RESPONSE_HEADER + length);
            in.compact();
        }
    }

    /** Waits for the one answer; the body is valid until the next. */
    ByteBuffer awaitAnswer() throws IOException {
        in.clear().limit(RESPONSE_HEADER);
        readToLimit();
        in.limit(RESPONSE_HEADER + in.getInt(4));
        readToLimit();
        in.flip();
        int status = in.getShort(2) & 0xFFFF;
        ByteBuffer body = in.slice(RESPONSE_HEADER, in.limit() - RESPONSE_HEADER);
        requireGood(status, body);
        redirected = status == REDIRECT;
        in.clear();
        return body;
    }

    /** True if the answer that was waited for last names another server. */
    boolean wasRedirected() {
        return redirected;
    }

    private void readToLimit() throws IOException {
        while (in.hasRemaining()) {
            fill();
        }
    }

    private void fill() throws IOException {
        if (in.position() >= RESPONSE_HEADER && in.getInt(4) > in.capacity() - RESPONSE_HEADER) {
            ByteBuffer larger = ByteBuffer.allocateDirect(RESPONSE_HEADER + in.getInt(4));
            in = larger.put(in.flip());
        }
        if (channel.read(in) < 0) {
            throw new EOFException("the server has closed " + channel.getRemoteAddress());
        }
    }

    private boolean isWhole() {
        return in.position() >= RESPONSE_HEADER && in.position() >= RESPONSE_HEADER + in.getInt(4);
    }

    private static void requireGood(int status, ByteBuffer body) throws IOException {
        if (status == ERROR) {
            int code = body.getInt();
            throw new IOException("error " + code + ": " + StandardCharsets.UTF_8.decode(body));
        }
        if (status != OK && status != MORE && status != REDIRECT) {
            throw new IOException("unexpected status " + status);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
