package org.cepheus.domain.port;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsPath;

/**
 * Files that clients have open for reading at the FSTs. The log knows nothing of them: each FST has
 * its own list, which the leader asks for. For operators; fails with PermissionDenied for others.
 */
public interface DownloadService {
    /** What every FST that is connected answers; one that does not is named. */
    CompletionStage<Downloads> downloads(Caller caller);

    /**
     * Ends one: its next read fails and says who ended it. Fails with NotFound if it is over, with
     * Unavailable if the FST is not there.
     */
    CompletionStage<Void> endDownload(Caller caller, int fstId, long number);

    /**
     * Downloads of all FSTs, of each the oldest at most {@value #MAX_OF_FST}.
     *
     * @param leftOut how many more there are
     * @param silentFsts connected FSTs that did not answer
     */
    record Downloads(List<Download> oldest, long leftOut, List<Integer> silentFsts) {
        public Downloads {
            oldest = List.copyOf(oldest);
            silentFsts = List.copyOf(silentFsts);
        }
    }

    /** The most downloads that one FST tells of. */
    int MAX_OF_FST = 1_000;

    /**
     * A file open for reading.
     *
     * @param number counts up at its FST, from 1 at each start of it
     * @param sizeBytes of the file
     * @param readBytes from the volume for this client so far; what is read twice counts twice
     */
    record Download(
            int fstId,
            long number,
            FsPath path,
            String user,
            String client,
            Instant since,
            long sizeBytes,
            long readBytes,
            String trace) {}
}
