package org.cepheus.domain.port;

import java.io.IOException;

/**
 * Bytes of a file that wait in the kernel for a socket: they never come into this program's memory.
 * Used by one thread at a time. Whoever has one must close it; what has not left then never will.
 */
public interface PipedBytes extends AutoCloseable {
    /** How many have not left yet. */
    int left();

    /**
     * Moves as many as the socket takes now; never waits.
     *
     * @param socket the descriptor of a connected socket that does not block
     * @return how many have left by this call, 0 if the socket takes none now
     * @throws IOException if the socket takes no more ever
     */
    int moveTo(int socket) throws IOException;

    @Override
    void close();
}
