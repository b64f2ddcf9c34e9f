package org.cepheus.domain.codec;

/**
 * Bytes that are not what their format says. Whoever reads a log stops; whoever reads a socket
 * closes it.
 */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DecodeException(String message) {
        super(message);
    }
}
