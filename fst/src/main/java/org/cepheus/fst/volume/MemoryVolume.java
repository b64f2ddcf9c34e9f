package org.cepheus.fst.volume;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * A volume in memory, for tests: with a capacity that can be reached and with failures that can be
 * ordered. One lock guards all of it.
 */
public final class MemoryVolume implements Volume {
    private static final int MAX_FILE_BYTES = 256 << 20;

    private final int volumeId;
    private final String uuid;
    private final long capacityBytes;
    private final Map<ContentId, Content> contents = new TreeMap<>(MemoryVolume::compare);
    private long usedBytes;
    private int highestEpoch;
    private Optional<FsError> nextSyncFailure = Optional.empty();

    public MemoryVolume(int volumeId, String uuid, long capacityBytes) {
        this.volumeId = volumeId;
        this.uuid = uuid;
        this.capacityBytes = capacityBytes;
    }

    private static int compare(ContentId a, ContentId b) {
        int byId = Long.compare(a.dataId(), b.dataId());
        return byId != 0 ? byId : Integer.compare(a.epoch(), b.epoch());
    }

    private static final class Content {
        private byte[] bytes = new byte[0];
        private Optional<DataNote> note = Optional.empty();
    }

    /** The next sync fails with this, once, as real storage does after it dropped data. */
    public synchronized void failNextSync(FsError error) {
        nextSyncFailure = Optional.of(error);
    }

    /** How many contents there are. */
    public synchronized int count() {
        return contents.size();
    }

    /** What was noted on a content of epoch 0. */
    public synchronized Optional<DataNote> note(long dataId) {
        return Optional.ofNullable(contents.get(new ContentId(dataId, 0))).flatMap(c -> c.note);
    }

    @Override
    public int volumeId() {
        return volumeId;
    }

    @Override
    public String uuid() {
        return uuid;
    }

    @Override
    public synchronized VolumeFile create(ContentId id) {
        var content = new Content();
        if (contents.putIfAbsent(id, content) != null) {
            throw new FsException(new FsError.AlreadyExists(id + " exists"));
        }
        return new MemoryFile(content);
    }

    @Override
    public synchronized VolumeFile open(ContentId id, boolean forWriting) {
        for (int epoch = id.epoch(); epoch >= 0; epoch--) {
            Content content = contents.get(new ContentId(id.dataId(), epoch));
            if (content != null) {
                return new MemoryFile(content);
            }
        }
        throw new FsException(new FsError.NotFound(id + " is not here"));
    }

    @Override
    public synchronized void delete(long dataId) {
        for (int epoch = highestEpoch; epoch >= 0; epoch--) {
            Content gone = contents.remove(new ContentId(dataId, epoch));
            usedBytes -= gone == null ? 0 : gone.bytes.length;
        }
    }

    @Override
    public Striping striping() {
        return Striping.LOCAL;
    }

    @Override
    public synchronized Space space() {
        return new Space(capacityBytes, capacityBytes - usedBytes, uuid);
    }

    @Override
    public synchronized void enterEpoch(int epoch) {
        if (epoch < highestEpoch) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "volume %d has seen restore epoch %d, the MGM is at %d: it runs on an older state"
                                    .formatted(volumeId, highestEpoch, epoch)));
        }
        highestEpoch = epoch;
    }

    @Override
    public void close() {}

    private synchronized void resize(Content content, long sizeBytes) {
        long more = sizeBytes - content.bytes.length;
        if (usedBytes + more > capacityBytes || sizeBytes > MAX_FILE_BYTES) {
            throw new FsException(
                    new FsError.NoSpace(
                            "volume %d is full: %d of %d bytes used"
                                    .formatted(volumeId, usedBytes, capacityBytes)));
        }
        usedBytes += more;
        content.bytes = Arrays.copyOf(content.bytes, (int) sizeBytes);
    }

    private synchronized void sync() {
        Optional<FsError> failure = nextSyncFailure;
        nextSyncFailure = Optional.empty();
        if (failure.isPresent()) {
            throw new FsException(failure.get());
        }
    }

    private final class MemoryFile implements VolumeFile {
        private final Content content;

        MemoryFile(Content content) {
            this.content = content;
        }

        @Override
        public int read(long offset, ByteBuffer... into) {
            synchronized (MemoryVolume.this) {
                int total = 0;
                for (ByteBuffer buffer : into) {
                    long left = content.bytes.length - (offset + total);
                    int step = Math.clamp(left, 0, buffer.remaining());
                    buffer.put(content.bytes, step == 0 ? 0 : (int) (offset + total), step);
                    total += step;
                }
                return total;
            }
        }

        @Override
        public void write(long offset, ByteBuffer... from) {
            synchronized (MemoryVolume.this) {
                long at = offset;
                for (ByteBuffer buffer : from) {
                    long end = at + buffer.remaining();
                    if (end > content.bytes.length) {
                        resize(content, end);
                    }
                    buffer.get(content.bytes, (int) at, buffer.remaining());
                    at = end;
                }
            }
        }

        @Override
        public void truncate(long sizeBytes) {
            resize(content, sizeBytes);
        }

        @Override
        public long sizeBytes() {
            synchronized (MemoryVolume.this) {
                return content.bytes.length;
            }
        }

        @Override
        public Instant modified() {
            return Instant.EPOCH;
        }

        @Override
        public void willRead(long offset, long length) {}

        @Override
        public void startWriteback(long offset, long length) {}

        @Override
        public void describe(DataNote note) {
            synchronized (MemoryVolume.this) {
                content.note = Optional.of(note);
            }
        }

        @Override
        public void sync() {
            MemoryVolume.this.sync();
        }

        @Override
        public void close() {}
    }
}
