package org.cepheus.namespace.rows;

import java.util.List;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.Location;

/** What a name in a directory stands for. */
public sealed interface Entry {
    /** A directory; its record is a row of its own. */
    record DirectoryLink(long id) implements Entry {}

    /** Reserved in the format; no command makes one yet. */
    record Symlink(long inode, String target, int owner, int group, long modifiedNanos)
            implements Entry {}

    /**
     * A file, inlined in its name.
     *
     * @param version changes with each commit: the lease id of the last one
     * @param updating the lease that writes in place, 0 for none
     * @param flags {@link #UNSETTLED}, {@link #HAS_ATTRIBUTES}; bits from 16 up must be understood
     * @param acl reserved: an interned access control list, 0 for none
     * @param tier reserved: where colder content went, 0 for here
     */
    record File(
            long inode,
            long version,
            long sizeBytes,
            int mode,
            int owner,
            int group,
            long modifiedNanos,
            long changedNanos,
            long bornNanos,
            List<Checksum> checksums,
            List<Location> locations,
            long updating,
            int flags,
            int acl,
            int tier)
            implements Entry {
        /** A writer in place was lost: the size is not known for sure. */
        public static final int UNSETTLED = 1 << 16;

        /** There are rows of extended attributes. */
        public static final int HAS_ATTRIBUTES = 1;

        /** The content's lease named another inode: a row says where the content went. */
        public static final int RELOCATED = 2;

        /** Flags this build understands. */
        public static final int KNOWN_FLAGS = UNSETTLED | HAS_ATTRIBUTES | RELOCATED;

        public File {
            checksums = List.copyOf(checksums);
            locations = List.copyOf(locations);
        }

        public boolean isUnsettled() {
            return (flags & UNSETTLED) != 0;
        }

        public boolean isRelocated() {
            return (flags & RELOCATED) != 0;
        }

        public boolean hasAttributes() {
            return (flags & HAS_ATTRIBUTES) != 0;
        }

        /** The same with its content marked as one whose lease named another inode, or not. */
        public File relocated(boolean isSo) {
            return withUpdating(updating, isSo ? flags | RELOCATED : flags & ~RELOCATED);
        }

        /** The number of the data file. */
        public long dataId() {
            return locations.getFirst().dataId();
        }

        public File withAccess(int newMode, int newOwner, int newGroup, long nowNanos) {
            return new File(
                    inode,
                    version,
                    sizeBytes,
                    newMode,
                    newOwner,
                    newGroup,
                    modifiedNanos,
                    nowNanos,
                    bornNanos,
                    checksums,
                    locations,
                    updating,
                    flags,
                    acl,
                    tier);
        }

        public File withModified(long newModifiedNanos, long nowNanos) {
            return new File(
                    inode,
                    version,
                    sizeBytes,
                    mode,
                    owner,
                    group,
                    newModifiedNanos,
                    nowNanos,
                    bornNanos,
                    checksums,
                    locations,
                    updating,
                    flags,
                    acl,
                    tier);
        }

        public File withUpdating(long lease, int newFlags) {
            return new File(
                    inode,
                    version,
                    sizeBytes,
                    mode,
                    owner,
                    group,
                    modifiedNanos,
                    changedNanos,
                    bornNanos,
                    checksums,
                    locations,
                    lease,
                    newFlags,
                    acl,
                    tier);
        }

        public File withFlags(int newFlags, long nowNanos) {
            return new File(
                    inode,
                    version,
                    sizeBytes,
                    mode,
                    owner,
                    group,
                    modifiedNanos,
                    nowNanos,
                    bornNanos,
                    checksums,
                    locations,
                    updating,
                    newFlags,
                    acl,
                    tier);
        }

        /** A new content under the same inode. */
        public File withContent(
                long newVersion,
                long newSizeBytes,
                long newModifiedNanos,
                long nowNanos,
                List<Checksum> newChecksums,
                List<Location> newLocations) {
            return new File(
                    inode,
                    newVersion,
                    newSizeBytes,
                    mode,
                    owner,
                    group,
                    newModifiedNanos,
                    nowNanos,
                    bornNanos,
                    newChecksums,
                    newLocations,
                    0,
                    flags & ~UNSETTLED,
                    acl,
                    tier);
        }
    }
}
