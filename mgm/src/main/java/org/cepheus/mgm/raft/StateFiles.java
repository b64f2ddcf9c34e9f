package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.file.Path;
import org.cepheus.mgm.raft.Applied.Position;

/**
 * The state as files, for a member that was away for longer than the log goes back. Everything
 * blocks; {@link #takeOver} is the apply thread's, all else is any other thread's.
 */
public interface StateFiles {
    /** Which state it is; equal for equal states. */
    record Stand(Position at, long chainHash) {}

    /** A directory below which copies are made; emptied at each start. */
    Path outgoing();

    /** Copies what is applied by now into a directory that does not exist yet. */
    Stand copyTo(Path directory) throws IOException;

    /** An empty directory to fetch another member's copy into. */
    Path emptyIncoming() throws IOException;

    /**
     * Looks through what was fetched, whose files are on disk, and keeps it to be taken over, by
     * the next start if this process ends before.
     *
     * @throws IOException if it is damaged, of another cluster or not what was promised; nothing
     *     has changed
     */
    void accept(Stand promised) throws IOException;

    /** The state is from now on what was accepted, unless it is newer already. All is on disk. */
    void takeOver() throws IOException;
}
