package org.cepheus.protocol.control;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.LeaseRef;

/** What an FST does when the MGM wants to know or to be obeyed. Called on an event loop. */
public interface FstSide {
    /** How it is now; asked each second, must not block. */
    Heartbeat heartbeat();

    /**
     * Deletes contents; answers which are gone or never were. Those that are still open are left
     * out, and the MGM orders them again.
     */
    CompletionStage<List<Long>> delete(int volumeId, List<Long> dataIds);

    /**
     * Says how much data a content has, after whoever writes to it was stopped: its lease is lost.
     * Fails with NotFound if there is no data.
     */
    CompletionStage<DataMeasure> measure(int volumeId, long dataId, int restoreEpoch);

    /**
     * Ends an upload whose lease the MGM has aborted, and tells its client at once. One that has
     * not begun will not begin. Repeat is safe.
     *
     * @param reason completes the sentence "the upload was ..."
     */
    CompletionStage<Void> endUpload(LeaseRef lease, String reason);

    /** The oldest files that are open for reading, at most so many; must not block. */
    OpenReads reads(int max);

    /**
     * Ends a download: its client's next read is refused and says why. Must not block.
     *
     * @param reason completes the sentence "the download was ..."
     * @throws org.cepheus.domain.FsException NotFound if there is none of that number
     */
    void endRead(long number, String reason);

    /**
     * The leader has taken the FST in. If the stage fails, the FST will not serve that MGM and
     * tries again.
     */
    CompletionStage<Void> accepted(HelloAccepted accepted);
}
