package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Opens new files, where it is sent to if it is, writes them and closes them. */
final class CreateUser implements User {
    private final Link home;
    private final XrootdLoad.Dialer dialer;
    private final Count count;
    private final String directory;
    private final String prefix;
    private final ByteBuffer data;
    private String path = "";
    private int next;
    private long startedNanos;

    CreateUser(Link home, LoadOptions options, int number, XrootdLoad.Dialer dialer, Count count) {
        boolean together = options.operation() == LoadOptions.Operation.FILL;
        this.home = home;
        this.dialer = dialer;
        this.count = count;
        this.directory = together ? options.root() : options.root() + "/user" + number;
        this.prefix = directory + (together ? "/user" + number + "-file" : "/file");
        this.data = ByteBuffer.allocateDirect(options.bytes());
    }

    @Override
    public void start() throws IOException {
        home.ask(Requests.makeDirectory(directory), (_, _) -> create());
    }

    private void create() throws IOException {
        if (!count.mayBegin()) {
            return;
        }
        startedNanos = System.nanoTime();
        path = prefix + next++;
        home.ask(Requests.openNew(path), this::openedAtHome);
    }

    private void openedAtHome(int status, ByteBuffer body) throws IOException {
        if (status != Link.REDIRECT) {
            opened(home, body);
            return;
        }
        int port = body.getInt();
        String target = StandardCharsets.UTF_8.decode(body).toString();
        int opaque = target.indexOf('?');
        String host = opaque < 0 ? target : target.substring(0, opaque);
        String tail = opaque < 0 ? "" : target.substring(opaque).replace("\0", "");
        Link there = dialer.dial(host.replace("[", "").replace("]", ""), port);
        there.ask(
                Requests.openNew(path + tail),
                (answer, handle) -> {
                    if (answer == Link.REDIRECT) {
                        throw new IOException("redirected twice: " + path);
                    }
                    opened(there, handle);
                });
    }

    private void opened(Link there, ByteBuffer body) throws IOException {
        int handle = body.getInt();
        if (data.capacity() == 0) {
            close(there, handle);
            return;
        }
        there.ask(Requests.writeHeader(handle, data.capacity()), (_, _) -> close(there, handle));
        there.send(data.clear());
    }

    private void close(Link there, int handle) throws IOException {
        there.ask(
                Requests.close(handle),
                (_, _) -> {
                    count.done(startedNanos);
                    create();
                });
    }
}
