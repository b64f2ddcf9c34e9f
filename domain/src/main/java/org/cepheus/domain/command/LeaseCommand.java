package org.cepheus.domain.command;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.codec.Coded;

/** The life of an upload: open, extend, then commit or abort. */
public sealed interface LeaseCommand extends Command {
    /** What an opener for writing wants to happen to the content that may be there. */
    enum Intent implements Coded {
        /** Fails if the name exists, at open and again at commit. */
        NEW(1),
        /** A new content; the last commit wins. */
        REPLACE(2),
        /** The existing content in place; exclusive. */
        UPDATE(3);

        private final int code;

        Intent(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /**
     * Where the leader placed the upload: volume, FST and the boot of it that it knows. Ids are 0
     * or more.
     */
    record Placement(int volumeId, int fstId, long bootId) {
        public Placement {
            if (volumeId < 0 || fstId < 0) {
                throw new FsException(
                        new FsError.InvalidArgument(
                                "negative volume or FST id: %d, %d".formatted(volumeId, fstId)));
            }
        }
    }

    /** Grants a lease and reserves quota; the name stays as it is until commit. */
    record OpenForWrite(
            FsPath path,
            Intent intent,
            boolean makeParents,
            int mode,
            OptionalLong declaredSizeBytes,
            Placement placement)
            implements LeaseCommand {}

    /** Asks that the lease's reservation be at least so many bytes. */
    record ExtendReservation(LeaseRef lease, long wantedBytes) implements LeaseCommand {}

    /**
     * The name becomes visible with this size and these checksums. Repeating it is safe.
     *
     * @param onlyOver commits only if the name has a content of this version now (HTTP's If-Match)
     */
    record Commit(
            LeaseRef lease,
            long sizeBytes,
            List<Checksum> checksums,
            Optional<Instant> modified,
            OptionalLong onlyOver)
            implements LeaseCommand {
        public Commit {
            checksums = List.copyOf(checksums);
        }

        /** Whatever is there now. */
        public Commit(
                LeaseRef lease,
                long sizeBytes,
                List<Checksum> checksums,
                Optional<Instant> modified) {
            this(lease, sizeBytes, checksums, modified, OptionalLong.empty());
        }
    }

    /** Nothing becomes visible, the reservation is released, the data goes to gc. */
    record Abort(LeaseRef lease, String reason) implements LeaseCommand {}
}
