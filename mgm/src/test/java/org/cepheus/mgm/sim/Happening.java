package org.cepheus.mgm.sim;

/** What befalls a member on disk. A simulation in which one of them never does has gone dull. */
enum Happening {
    CRASH_AND_NOTHING_ELSE,
    CRASH_WITH_A_TORN_ENTRY,
    TORN_BYTES_CUT,
    DISK_LOST,
    CRASH_BETWEEN_TWO_SEGMENTS,
    FLIP_IN_THE_OPEN_SEGMENT_REFUSED,
    FLIP_IN_A_CLOSED_SEGMENT_REFUSED,
    ENTRY_REPLAYED_FROM_ITS_OWN_LOG,
    SEGMENT_PURGED,
    INSTALL,
    INSTALL_CUT_SHORT_AND_FORGOTTEN,
    INSTALL_CUT_SHORT_AND_ENDED
}
