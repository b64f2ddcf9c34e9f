package org.cepheus.domain;

import java.util.regex.Pattern;
import org.cepheus.domain.codec.Bytes;

/**
 * Makes that a request that is sent again is not done again: the same key gets the answer of the
 * first time.
 *
 * @param key drawn by the client, 1 to {@link #MAX_LENGTH} visible ASCII characters
 * @param request a digest of what was asked for; the same key with another request is refused
 */
public record OnceKey(String key, Bytes request) {
    public static final int MAX_LENGTH = 128;

    private static final int MAX_DIGEST_BYTES = 64;
    private static final Pattern VISIBLE = Pattern.compile("[!-~]{1," + MAX_LENGTH + "}");

    public OnceKey {
        if (!VISIBLE.matcher(key).matches()) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "an idempotency key has 1 to %d visible ASCII characters"
                                    .formatted(MAX_LENGTH)));
        }
        if (request.size() == 0 || request.size() > MAX_DIGEST_BYTES) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "the digest of a request has 1 to %d bytes"
                                    .formatted(MAX_DIGEST_BYTES)));
        }
    }
}
