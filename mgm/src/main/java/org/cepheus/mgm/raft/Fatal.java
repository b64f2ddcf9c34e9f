package org.cepheus.mgm.raft;

import org.slf4j.LoggerFactory;

/**
 * What happens when this replica must not go on: its disk failed, or it would differ from the
 * others. Ratis would close the division and leave the process alive, so the process ends at once.
 */
@FunctionalInterface
public interface Fatal {
    /** Exit code of a process that ended this way. */
    int EXIT_CODE = 70;

    /** Ends the process without running anything more in it. */
    Fatal HALT =
            (why, cause) -> {
                LoggerFactory.getLogger(Fatal.class).error("stopping at once: {}", why, cause);
                Runtime.getRuntime().halt(EXIT_CODE);
            };

    void stop(String why, Throwable cause);
}
