package org.cepheus.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What stat shows of one entry to one caller.
 *
 * @param inode stable for the life of the name
 * @param contentVersion changes with each content (the ETag); 0 for directories
 * @param sizeBytes of the committed content; 0 for directories
 * @param mode the permission bits and sticky bit, 0 to 07777
 * @param underUpdate true while a writer changes the content in place: checksums do not hold
 * @param access what the caller may do
 * @param mayHaveAttributes false only if there certainly are no extended attributes to ask for
 */
public record FileStatus(
        FileKind kind,
        long inode,
        long contentVersion,
        long sizeBytes,
        int mode,
        String owner,
        String group,
        Instant modified,
        Instant changed,
        Instant born,
        List<Checksum> checksums,
        boolean underUpdate,
        AccessBits access,
        boolean mayHaveAttributes) {
    public FileStatus {
        checksums = List.copyOf(checksums);
    }

    /** The status of an entry that may have extended attributes. */
    public FileStatus(
            FileKind kind,
            long inode,
            long contentVersion,
            long sizeBytes,
            int mode,
            String owner,
            String group,
            Instant modified,
            Instant changed,
            Instant born,
            List<Checksum> checksums,
            boolean underUpdate,
            AccessBits access) {
        this(
                kind,
                inode,
                contentVersion,
                sizeBytes,
                mode,
                owner,
                group,
                modified,
                changed,
                born,
                checksums,
                underUpdate,
                access,
                true);
    }

    public boolean isDirectory() {
        return kind == FileKind.DIRECTORY;
    }

    public boolean isFile() {
        return kind == FileKind.FILE;
    }

    /** The checksum of that type, if it is known and holds. */
    public Optional<Checksum> checksum(ChecksumType type) {
        return underUpdate
                ? Optional.empty()
                : checksums.stream().filter(c -> c.type() == type).findFirst();
    }
}
