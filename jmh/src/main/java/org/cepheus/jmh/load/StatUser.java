package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Asks for the status of files that {@link CreateUser} of the same number has made. */
final class StatUser implements User {
    private static final int FILES = 100;

    private final Link home;
    private final Count count;
    private final ByteBuffer[] requests = new ByteBuffer[FILES];
    private int next;
    private long startedNanos;

    StatUser(Link home, LoadOptions options, int number, Count count) {
        this.home = home;
        this.count = count;
        for (int i = 0; i < FILES; i++) {
            requests[i] = Requests.stat("%s/user%d/file%d".formatted(options.root(), number, i));
        }
    }

    @Override
    public void start() throws IOException {
        startedNanos = System.nanoTime();
        ByteBuffer request = requests[next++ % FILES];
        home.ask(request.rewind(), this::answered);
    }

    private void answered(int status, ByteBuffer body) throws IOException {
        if (status == Link.REDIRECT) {
            throw new IOException("a stat was redirected");
        }
        count.done(startedNanos);
        start();
    }
}
