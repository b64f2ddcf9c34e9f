package org.cepheus.domain.port;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.Ticket;

/**
 * One open file at an FST, for one connection. Calls may overlap and complete on any thread.
 * Buffers belong to the file from the call until its stage completes.
 *
 * <p>A writer ends in exactly one of {@link #commit}, {@link #abort} or {@link #detach}; a reader
 * in {@link #close}. The first storage error is sticky: everything after it fails too, and the
 * commit aborts.
 */
public interface DataFile {
    /** The most bytes that {@link #pipe} takes at once. */
    int MAX_PIPED_BYTES = 1020 * 1024;

    Ticket ticket();

    /** The size as of now: committed when reading, what was written so far when writing. */
    long sizeBytes();

    /**
     * Fills the buffers one after the other from {@code offset}.
     *
     * @return bytes read, fewer than asked for only at the end of the file
     */
    CompletionStage<Integer> read(long offset, ByteBuffer... into);

    /**
     * Takes bytes to where a socket can have them without a copy, if the storage can do that and
     * has room for it now; else {@link #read} them. There are fewer than asked for only at the end
     * of the file. At most {@link #MAX_PIPED_BYTES}, from any offset to the end of a page of 4 KiB
     * if they are that many.
     */
    default CompletionStage<Optional<PipedBytes>> pipe(long offset, int length) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * Writes the buffers one after the other at {@code offset}. Waits while the reservation is
     * being extended; fails with QuotaExceeded when it cannot be.
     */
    CompletionStage<Void> write(long offset, ByteBuffer... from);

    /** A page arrived damaged (pgwrite): no commit until {@link #pageMended} of the same offset. */
    void pageDamaged(long offset, int length);

    /** The page was sent again whole. */
    void pageMended(long offset);

    /** Only for writers; {@code QuotaExceeded} as in write. */
    CompletionStage<Void> truncate(long sizeBytes);

    CompletionStage<Void> sync();

    /**
     * Makes what was written visible under its name, if no write failed, no page is damaged, the
     * size is the declared one and each expected checksum is right; else aborts and fails with the
     * reason. Repeating it after it succeeded answers the same.
     */
    default CompletionStage<FileStatus> commit(List<Checksum> expected) {
        return commit(expected, OptionalLong.empty());
    }

    /**
     * The same, but only if the name has a content of that version now; else it aborts and fails
     * with AlreadyExists.
     */
    CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver);

    /**
     * Announces before the first write which checksums are wanted of the content beside adler32 and
     * crc32c: they are taken while the bytes arrive in order, and stored. What is not announced and
     * yet expected at commit is had by reading the content again.
     */
    void wantChecksums(Set<ChecksumType> types);

    /**
     * Checksums of a content that is open for reading, by reading all of it. Fails with Overloaded
     * when too many are being taken, and when the file is closed meanwhile.
     */
    CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted);

    /**
     * Fails, with the reason, when an upload ends without its client: an operator ended it, or its
     * content was removed. A client that just waits learns it so. Never succeeds; of a reader there
     * is nothing to lose.
     */
    default CompletionStage<Void> lost() {
        return new CompletableFuture<>();
    }

    /** Nothing becomes visible. */
    CompletionStage<Void> abort(String reason);

    /** The connection is gone, the client may come back with the same ticket: hold the upload. */
    void detach();

    /** Ends reading. For a writer that was not committed it is {@link #detach}. */
    void close();
}
