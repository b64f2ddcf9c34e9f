package org.cepheus.jmh.load;

import java.io.IOException;

/** One simulated client: has one operation running at any time. */
interface User {
    /** Begins the first operation; every later one begins when the one before has ended. */
    void start() throws IOException;

    /** Counts an operation that began then. */
    @FunctionalInterface
    interface Count {
        void done(long startedNanos);
    }
}
