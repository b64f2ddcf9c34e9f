package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Lists a directory with the status of each entry, to the last byte, again and again. */
final class ListUser implements User {
    /** A directory is listed as lines of a name and its status, after one pair for itself. */
    private static final int LINES_EACH = 2;

    private final Link home;
    private final Count count;
    private final ByteBuffer request;
    private long lines;
    private long startedNanos;

    ListUser(Link home, LoadOptions options, Count count) {
        this.home = home;
        this.count = count;
        this.request = Requests.list(options.root());
    }

    @Override
    public void start() throws IOException {
        lines = 0;
        startedNanos = System.nanoTime();
        home.ask(request.rewind(), this::answered);
    }

    private void answered(int status, ByteBuffer body) throws IOException {
        for (int i = 0; i < body.limit(); i++) {
            byte b = body.get(i);
            if (b == '\n' || b == 0) {
                lines++;
            }
        }
        if (status == Link.REDIRECT) {
            throw new IOException("a listing was redirected");
        }
        if (status != Link.MORE) {
            count.listed(lines / LINES_EACH - 1);
            count.done(startedNanos);
            start();
        }
    }
}
