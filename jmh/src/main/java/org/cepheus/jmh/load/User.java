package org.cepheus.jmh.load;

import java.io.IOException;

/** One simulated client: has one operation running at any time. */
interface User {
    /** Begins the first operation; every later one begins when the one before has ended. */
    void start() throws IOException;

    /** What is done by all users together. */
    interface Count {
        /** Whether one more operation is wanted; it is then counted as begun. */
        boolean mayBegin();

        /** Counts an operation that began then. */
        void done(long startedNanos);

        /** Counts the entries of a listing. */
        void listed(long entries);
    }
}
