package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.fst.volume.VolumeFile;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of a whole content: from what was summed while writing, or by reading it. One instance
 * reads one content, a stretch at a time. Confined to one thread at a time.
 */
final class WholeSums {
    private static final int BLOCK_BYTES = 1 << 20;

    /** Where the bytes come from; each read may block. */
    interface Source {
        /** Fills the buffer from there; fewer bytes than it has room for only at the end. */
        int read(long offset, ByteBuffer into);
    }

    private final Source source;
    private final long sizeBytes;
    private final Set<ChecksumType> wanted;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final Map<ChecksumType, MessageDigest> digests = new EnumMap<>(ChecksumType.class);
    private PieceSum sum = PieceSum.EMPTY;

    WholeSums(Source source, long sizeBytes, Set<ChecksumType> wanted) {
        this.source = source;
        this.sizeBytes = sizeBytes;
        this.wanted = Set.copyOf(wanted);
        for (ChecksumType type : wanted) {
            digest(type).ifPresent(digest -> digests.put(type, digest));
        }
    }

    /**
     * The wanted checksums. Blocks while the content is read again, which happens if the sums were
     * lost or a type is wanted that was not taken while writing.
     *
     * @param file absent for an empty content that has no data file
     * @param digested what was taken beside the streamed sums
     */
    static List<Checksum> of(
            Optional<VolumeFile> file,
            long sizeBytes,
            Optional<PieceSum> streamed,
            Map<ChecksumType, Checksum> digested,
            Set<ChecksumType> wanted) {
        boolean known =
                wanted.stream()
                        .allMatch(type -> digest(type).isEmpty() || digested.containsKey(type));
        if (streamed.isPresent() && known) {
            return checksums(streamed.get(), digested, wanted);
        }
        if (file.isEmpty() || sizeBytes == 0) {
            return ofNothing(wanted);
        }
        var reading = new WholeSums(file.get()::read, sizeBytes, wanted);
        reading.readOn(sizeBytes);
        return reading.result();
    }

    /** The checksums of an empty content. */
    static List<Checksum> ofNothing(Set<ChecksumType> wanted) {
        var nothing = new StreamDigests();
        nothing.want(wanted);
        return checksums(PieceSum.EMPTY, nothing.finish(0), wanted);
    }

    /** Blocks: reads about so many bytes more. True when all is read. */
    boolean readOn(long bytes) {
        long until = Math.min(sizeBytes, sum.length() + bytes);
        while (sum.length() < until) {
            block.clear().limit((int) Math.min(BLOCK_BYTES, sizeBytes - sum.length()));
            int got = source.read(sum.length(), block);
            if (got == 0) {
                throw new FsException(
                        new FsError.IoFailure(
                                "the data file ends at %d bytes, %d were written"
                                        .formatted(sum.length(), sizeBytes)));
            }
            block.flip();
            for (MessageDigest digest : digests.values()) {
                digest.update(block.duplicate());
            }
            sum = sum.then(PieceSum.of(block));
        }
        return sum.length() == sizeBytes;
    }

    /** After all was read, once. */
    List<Checksum> result() {
        var digested = new EnumMap<ChecksumType, Checksum>(ChecksumType.class);
        digests.forEach((type, digest) ->
                digested.put(type, new Checksum(type, HexFormat.of().formatHex(digest.digest()))));
        return checksums(sum, digested, wanted);
    }

    private static List<Checksum> checksums(
            PieceSum sum, Map<ChecksumType, Checksum> digested, Set<ChecksumType> wanted) {
        var checksums = new ArrayList<Checksum>(wanted.size());
        for (ChecksumType type : ChecksumType.values()) {
            if (wanted.contains(type)) {
                checksums.add(
                        switch (type) {
                            case ADLER32 -> Checksum.of(type, sum.adler32());
                            case CRC32C -> Checksum.of(type, sum.crc32c());
                            case MD5, SHA256 -> taken(type, digested.get(type));
                        });
            }
        }
        return checksums;
    }

    private static Checksum taken(ChecksumType type, @Nullable Checksum sum) {
        if (sum == null) {
            throw new IllegalStateException("no digest was made for " + type);
        }
        return sum;
    }

    /** What takes a checksum that cannot be put together from pieces. */
    static Optional<MessageDigest> digest(ChecksumType type) {
        try {
            return switch (type) {
                case MD5 -> Optional.of(MessageDigest.getInstance("MD5"));
                case SHA256 -> Optional.of(MessageDigest.getInstance("SHA-256"));
                case ADLER32, CRC32C -> Optional.empty();
            };
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5 and SHA-256", e);
        }
    }
}
