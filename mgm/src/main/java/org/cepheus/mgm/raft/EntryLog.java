package org.cepheus.mgm.raft;

/** The replicated log as the aggregator sees it. */
interface EntryLog {
    /** What {@link #append} answers when the entry did not get into the log. */
    long REFUSED = -1;

    /** True while this member may append. */
    boolean isLeading();

    /**
     * Appends to the log of this member and comes back before it is on disk anywhere. Called by one
     * thread alone, which keeps the order.
     *
     * @return the entry's index, or {@link #REFUSED} if it certainly is in no log
     */
    long append(byte[] entry);
}
