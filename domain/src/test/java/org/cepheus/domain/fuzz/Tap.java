package org.cepheus.domain.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between real clients and a server on loopback, and writes down what both say. */
public final class Tap implements AutoCloseable {
    /** One connection as far as it has come. */
    public static final class Session {
        private final ByteArrayOutputStream client = new ByteArrayOutputStream();
        private final ByteArrayOutputStream server = new ByteArrayOutputStream();

        /** What the client said. */
        public byte[] client() {
            return bytes(client);
        }

        /** What the server said. */
        public byte[] server() {
            return bytes(server);
        }

        private static byte[] bytes(ByteArrayOutputStream of) {
            synchronized (of) {
                return of.toByteArray();
            }
        }
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Session> sessions = new CopyOnWriteArrayList<>();

    public Tap(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** All sessions since the last call. */
    public List<Session> take() {
        List<Session> all = List.copyOf(sessions);
        sessions.clear();
        return all;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                var session = new Session();
                sessions.add(session);
                Thread.ofVirtual().start(() -> pass(client, server, session.client));
                Thread.ofVirtual().start(() -> pass(server, client, session.server));
            }
        } catch (IOException e) {
            // Closed: the recording is over.
        }
    }

    private static void pass(Socket from, Socket to, ByteArrayOutputStream kept) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            var buffer = new byte[65_536];
            int count;
            while ((count = in.read(buffer)) > 0) {
                synchronized (kept) {
                    kept.write(buffer, 0, count);
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // One side has closed; so does the other.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
