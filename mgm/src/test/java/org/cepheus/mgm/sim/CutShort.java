package org.cepheus.mgm.sim;

import java.util.List;
import java.util.stream.Stream;

/** Where the process of a member that takes over another one's state ends. */
enum CutShort {
    AMID_THE_FETCH,
    BEFORE_IT_IS_ACCEPTED,
    ONCE_IT_IS_READY,
    ONCE_THE_STORE_IS_CLOSED,
    BETWEEN_THE_TWO_MOVES,
    BEFORE_THE_OLD_STORE_IS_GONE,
    BEFORE_THE_OLD_LOG_IS_GONE;

    /** True if what was fetched is to be the state at the next start. */
    boolean isKept() {
        return compareTo(ONCE_IT_IS_READY) >= 0;
    }

    /** Those after which it is, or those after which it is not. */
    static List<CutShort> all(boolean kept) {
        return Stream.of(values()).filter(end -> end.isKept() == kept).toList();
    }
}
