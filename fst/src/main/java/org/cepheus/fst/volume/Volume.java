package org.cepheus.fst.volume;

/**
 * One place for data files. Every call may block for as long as the storage below does, so only the
 * volume's {@link IoPool} calls. Failures are {@link org.cepheus.domain.FsException}s: NoSpace,
 * NotFound, or IoFailure for everything else; a message names the file.
 */
public interface Volume extends AutoCloseable {
    int volumeId();

    /** Drawn when the volume was made; the same for every FST that mounts it. */
    String uuid();

    /**
     * Makes a data file, which must not exist in that epoch: AlreadyExists otherwise. After a
     * failure there is none, or an empty one.
     */
    VolumeFile create(ContentId content);

    /** Opens a content of that epoch or, if there is none, of the nearest one before it. */
    VolumeFile open(ContentId content, boolean forWriting);

    /** Removes a content in every epoch; no error if there is none. Open files stay readable. */
    void delete(long dataId);

    Space space();

    /** How the storage below cuts files; known since the volume was opened. */
    Striping striping();

    /**
     * Remembers that the namespace has that restore epoch.
     *
     * @throws org.cepheus.domain.FsException InvalidArgument if the volume has seen a later one
     */
    void enterEpoch(int epoch);

    @Override
    void close();

    /**
     * Files are stored in objects of equal size.
     *
     * @param objectBytes where nothing is known, what CephFS does if not told otherwise
     * @param isRemote the objects are on many hosts that are asked at once
     */
    record Striping(long objectBytes, boolean isRemote) {
        public static final Striping LOCAL = new Striping(4L << 20, false);

        /** Objects to fetch before somebody who reads in order asks for them. */
        public int objectsAhead() {
            return isRemote ? 3 : 1;
        }
    }

    /**
     * Room on a volume, in bytes.
     *
     * @param device names the storage below; volumes that share it share the room
     */
    record Space(long totalBytes, long freeBytes, String device) {}
}
