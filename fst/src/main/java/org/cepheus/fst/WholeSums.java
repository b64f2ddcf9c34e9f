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

/** Checksums of a whole content: from what was summed while writing, or by reading it again. */
final class WholeSums {
    private static final int BLOCK_BYTES = 1 << 20;

    private WholeSums() {}

    /**
     * The wanted checksums. Blocks while the content is read again, which happens if the sums were
     * lost or a type is wanted that is not summed while writing.
     *
     * @param file absent for an empty content that has no data file
     */
    static List<Checksum> of(
            Optional<VolumeFile> file,
            long sizeBytes,
            Optional<PieceSum> streamed,
            Set<ChecksumType> wanted) {
        boolean known =
                wanted.stream()
                        .allMatch(type ->
                                type == ChecksumType.ADLER32 || type == ChecksumType.CRC32C);
        if (streamed.isPresent() && known) {
            return checksums(streamed.get(), Map.of(), wanted);
        }
        var digests = new EnumMap<ChecksumType, MessageDigest>(ChecksumType.class);
        for (ChecksumType type : wanted) {
            digest(type).ifPresent(digest -> digests.put(type, digest));
        }
        PieceSum sum = PieceSum.EMPTY;
        if (file.isPresent() && sizeBytes > 0) {
            sum = read(file.get(), sizeBytes, digests);
        }
        return checksums(sum, digests, wanted);
    }

    private static PieceSum read(
            VolumeFile file, long sizeBytes, Map<ChecksumType, MessageDigest> digests) {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        PieceSum sum = PieceSum.EMPTY;
        while (sum.length() < sizeBytes) {
            block.clear().limit((int) Math.min(BLOCK_BYTES, sizeBytes - sum.length()));
            int got = file.read(sum.length(), block);
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
        return sum;
    }

    private static List<Checksum> checksums(
            PieceSum sum, Map<ChecksumType, MessageDigest> digests, Set<ChecksumType> wanted) {
        var checksums = new ArrayList<Checksum>(wanted.size());
        for (ChecksumType type : ChecksumType.values()) {
            if (wanted.contains(type)) {
                checksums.add(
                        switch (type) {
                            case ADLER32 -> Checksum.of(type, sum.adler32());
                            case CRC32C -> Checksum.of(type, sum.crc32c());
                            case MD5, SHA256 -> finish(type, digests.get(type));
                        });
            }
        }
        return checksums;
    }

    private static Checksum finish(ChecksumType type, @Nullable MessageDigest digest) {
        if (digest == null) {
            throw new IllegalStateException("no digest was made for " + type);
        }
        return new Checksum(type, HexFormat.of().formatHex(digest.digest()));
    }

    private static Optional<MessageDigest> digest(ChecksumType type) {
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
