package org.cepheus.fst.volume;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.cepheus.domain.Checksum;

/**
 * What is written on each data file, so that one that nobody knows any more explains itself. It
 * says what was when the content was committed, and is never read to decide anything.
 */
public record DataNote(
        UUID cluster, long inode, long dataId, long sizeBytes, List<Checksum> checksums) {
    /** The extended attribute that holds the note. */
    public static final String ATTRIBUTE = "user.cepheus";

    public DataNote {
        checksums = List.copyOf(checksums);
    }

    /** One line of {@code name=value} words. */
    public String toText() {
        String sums = checksums.stream().map(Checksum::toString).collect(Collectors.joining(","));
        return "version=1 cluster=%s inode=%d dataId=%d size=%d checksums=%s"
                .formatted(cluster, inode, dataId, sizeBytes, sums);
    }
}
