package org.cepheus.protocol.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that says exactly what the test wrote. */
final class Raw implements AutoCloseable {
    /** An answer as it came; header names in lower case, the body byte by byte as Latin-1. */
    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        /** The body's bytes. */
        byte[] bytes() {
            return body.getBytes(StandardCharsets.ISO_8859_1);
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }

    private final Socket socket;
    private final InputStream in;

    private Raw(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    static Raw connect(HttpServer server) throws IOException {
        var socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(10_000);
        return new Raw(socket);
    }

    /** One request on a connection of its own. Lines end with a newline only in the source. */
    static Answer ask(HttpServer server, String request) throws IOException {
        try (Raw raw = connect(server)) {
            raw.say(request);
            return raw.answer(request.startsWith("HEAD"));
        }
    }

    /** Sends a head, or several: newlines become CRLF. */
    Raw say(String text) throws IOException {
        return send(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    Raw send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    Answer answer() throws IOException {
        return answer(false);
    }

    Answer answer(boolean toHead) throws IOException {
        String statusLine = line();
        if (statusLine.isEmpty()) {
            throw new IOException("the server closed without an answer");
        }
        int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
        var headers = new TreeMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        boolean empty = toHead || status < 200 || status == 204 || status == 304;
        byte[] body = empty ? new byte[0] : body(headers);
        return new Answer(status, headers, new String(body, StandardCharsets.ISO_8859_1));
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            var all = new ByteArrayOutputStream();
            for (int length = chunkLength(); length > 0; length = chunkLength()) {
                all.writeBytes(in.readNBytes(length));
                line();
            }
            line();
            return all.toByteArray();
        }
        String length = headers.get("content-length");
        return length == null ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length));
    }

    private int chunkLength() throws IOException {
        String line = line();
        if (line.isEmpty()) {
            throw new IOException("the stream of chunks broke off");
        }
        return Integer.parseInt(line, 16);
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Reads an answer of any length, and tells how long it was and whether it ended so. */
    boolean endsAfter(long leastBytes, String end) throws IOException {
        byte[] block = new byte[1 << 16];
        var tail = new StringBuilder();
        long total = 0;
        for (int got = in.read(block); got >= 0; got = in.read(block)) {
            total += got;
            tail.append(new String(block, 0, got, StandardCharsets.ISO_8859_1));
            tail.delete(0, Math.max(0, tail.length() - 2 * end.length() - 100));
        }
        return total >= leastBytes && tail.indexOf(end) >= 0;
    }

    /** Says one byte whenever the server has been silent for so long; true once it has closed. */
    boolean isClosedWhileDripping(String text, int pauseMillis) throws IOException {
        socket.setSoTimeout(pauseMillis);
        for (int i = 0; i < text.length(); i++) {
            try {
                say(text.substring(i, i + 1));
                return in.read() < 0;
            } catch (SocketTimeoutException e) {
                // Not yet: the next byte.
            } catch (SocketException e) {
                return true;
            }
        }
        return false;
    }

    /** Ends what this side says; the other may go on. */
    Raw endSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Takes everything that comes until the server closes. */
    void drain() throws IOException {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketException e) {
            // Closed by force.
        }
    }

    /** True if the server has closed and sent nothing before. */
    boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
