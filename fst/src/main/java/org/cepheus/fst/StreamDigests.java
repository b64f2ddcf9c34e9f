package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;

/**
 * MD5 and SHA-256 of a content that arrives in order, for whoever asked for them before. They
 * cannot be put together from pieces: bytes out of order end them. One lock guards it.
 */
final class StreamDigests {
    private final Map<ChecksumType, MessageDigest> digests = new EnumMap<>(ChecksumType.class);
    private long length;

    /** Takes these too, if nothing was added yet. */
    synchronized void want(Set<ChecksumType> types) {
        if (length == 0) {
            for (ChecksumType type : types) {
                WholeSums.digest(type).ifPresent(digest -> digests.put(type, digest));
            }
        }
    }

    /** These bytes come next, or end the digests. The positions of the buffers stay. */
    synchronized void add(long offset, ByteBuffer... from) {
        if (digests.isEmpty()) {
            return;
        }
        if (offset != length) {
            digests.clear();
            return;
        }
        for (ByteBuffer buffer : from) {
            length += buffer.remaining();
            digests.values().forEach(digest -> digest.update(buffer.duplicate()));
        }
    }

    /** The digests of the first so many bytes, if just those were added; ends them. */
    synchronized Map<ChecksumType, Checksum> finish(long sizeBytes) {
        var sums = new EnumMap<ChecksumType, Checksum>(ChecksumType.class);
        if (length == sizeBytes) {
            digests.forEach((type, digest) ->
                    sums.put(type, new Checksum(type, HexFormat.of().formatHex(digest.digest()))));
        }
        digests.clear();
        return sums;
    }
}
