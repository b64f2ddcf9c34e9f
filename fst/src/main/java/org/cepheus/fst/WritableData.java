package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.DataNote;
import org.cepheus.fst.volume.Volume;
import org.cepheus.fst.volume.VolumeFile;
import org.jspecify.annotations.Nullable;

/**
 * The data file of an upload: made by the first byte that is written, so that an empty file costs
 * the disk nothing. All calls but {@link #exists} block. Its lock guards the making and closing.
 */
final class WritableData {
    private final Ticket ticket;
    private final Volume volume;
    private final ContentId content;
    private final Writeback writeback;
    private volatile @Nullable VolumeFile file;
    private boolean closed;

    WritableData(Ticket ticket, Volume volume) {
        this.ticket = ticket;
        this.volume = volume;
        this.writeback = new Writeback(volume.striping().objectBytes());
        this.content = new ContentId(ticket.location().dataId(), ticket.restoreEpoch());
    }

    boolean exists() {
        return file != null;
    }

    Optional<VolumeFile> file() {
        return Optional.ofNullable(file);
    }

    /** Opens what is to be updated in place; answers its size. An empty content has no file. */
    synchronized long openExisting() {
        if (ticket.sizeBytes() == 0) {
            return 0;
        }
        VolumeFile existing = volume.open(content, true);
        file = existing;
        return existing.sizeBytes();
    }

    private synchronized VolumeFile made() {
        if (closed) {
            throw new FsException(
                    new FsError.LeaseGone("the upload of %s has ended".formatted(ticket.path())));
        }
        VolumeFile existing = file;
        if (existing != null) {
            return existing;
        }
        VolumeFile made = ticket.inPlace() ? openedOrMade() : madeNew();
        file = made;
        return made;
    }

    private VolumeFile madeNew() {
        try {
            return volume.create(content);
        } catch (FsException e) {
            if (e.error() instanceof FsError.AlreadyExists) {
                throw new FsException(
                        new FsError.LeaseGone(
                                "the upload of %s began before this FST was restarted: start again"
                                        .formatted(ticket.path())));
            }
            throw e;
        }
    }

    /** An update of an empty content may find the file that an earlier update made and cut. */
    private VolumeFile openedOrMade() {
        try {
            return volume.open(content, true);
        } catch (FsException e) {
            if (e.error() instanceof FsError.NotFound) {
                return volume.create(content);
            }
            throw e;
        }
    }

    void write(long offset, long length, ByteBuffer... from) {
        if (length == 0) {
            return;
        }
        VolumeFile to = made();
        to.write(offset, from);
        writeback
                .written(offset, length)
                .ifPresent(span -> to.startWriteback(span.offset(), span.length()));
    }

    int read(long offset, ByteBuffer... into) {
        VolumeFile from = file;
        return from == null ? 0 : from.read(offset, into);
    }

    void truncate(long sizeBytes) {
        if (sizeBytes > 0 || exists()) {
            made().truncate(sizeBytes);
        }
    }

    void sync() {
        VolumeFile existing = file;
        if (existing != null) {
            existing.sync();
        }
    }

    /** The content is complete: says on it what it is, and makes it durable. */
    void finish(long sizeBytes, List<Checksum> checksums) {
        VolumeFile existing = file;
        if (existing != null) {
            existing.describe(
                    new DataNote(
                            ticket.cluster(),
                            ticket.inode(),
                            content.dataId(),
                            sizeBytes,
                            checksums));
            existing.sync();
        }
    }

    synchronized void close(boolean delete) {
        closed = true;
        VolumeFile existing = file;
        if (existing != null) {
            existing.close();
            if (delete) {
                volume.delete(content.dataId());
            }
        }
    }
}
