package org.cepheus.fst.volume;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.PipedBytes;

/** One open data file. Reads and writes may overlap and come from several threads. */
public interface VolumeFile extends AutoCloseable {
    /**
     * Fills the buffers one after the other from {@code offset}; their positions advance.
     *
     * @return bytes read, fewer than there was room for only at the end of the file
     */
    int read(long offset, ByteBuffer... into);

    /**
     * Takes bytes from {@code offset} into a pipe, where a socket can have them without a copy;
     * empty if this storage or this kernel cannot, or too many wait in pipes already. There are
     * fewer than {@code length} only at the end of the file.
     *
     * @param length at most {@link DataFile#MAX_PIPED_BYTES}
     */
    default Optional<PipedBytes> pipe(long offset, int length) {
        return Optional.empty();
    }

    /** Writes all that remains in the buffers; after a failure any part may have been written. */
    void write(long offset, ByteBuffer... from);

    void truncate(long sizeBytes);

    long sizeBytes();

    /** When it was written last, by the storage's clock. */
    Instant modified();

    /** Asks the storage to begin writing that range, so that a later {@link #sync} is short. */
    void startWriteback(long offset, long length);

    /** That range will be read soon: the storage may fetch it already. Only a hint. */
    void willRead(long offset, long length);

    /** Puts a note on the file that says whose it is; storage that cannot is no error. */
    void describe(DataNote note);

    /** The content is durable, and so is its name. */
    void sync();

    @Override
    void close();
}
