package org.cepheus.namespace.store;

/** The families of rows; each is a column family of its own. Names are part of the disk format. */
public enum Family {
    /** parentId + name: a file inlined, or the link to a directory. */
    ENTRY("entry"),
    /** dirId: access record and counters of a directory. */
    DIR("dir"),
    /** inode: where it is linked. */
    PLACE("place"),
    /** node + kind + principal: limits, used, reserved. */
    QUOTA("quota"),
    /** parentId + name + 0 + lease id: an upload that is running. */
    LEASE("lease"),
    /** Reserved: an index of deadlines, should leases outgrow the sweep. */
    EXPIRY("expiry"),
    /** volume + dataId: data to delete. */
    GC("gc"),
    /** Reserved: replies by session and by idempotency key. */
    REPLY("reply"),
    /** Interned names of users and groups. */
    PRINCIPAL("principal"),
    /** FSTs with their addresses, boots and volumes. */
    FLEET("fleet"),
    /** Reserved: interned access control lists. */
    ACL("acl"),
    /** inode + name: an extended attribute. */
    XATTR("xattr"),
    /** dataId: the inode that has the content, where that is not the one its lease named. */
    CONTENT("content"),
    /** inode: a file whose last writer in place was lost, so that its size has to be asked for. */
    UNSETTLED("unsettled"),
    /** What the leader is at for longer than one entry: counts of quota nodes. */
    JOB("job"),
    /** Applied index, clocks, counters, cluster. */
    META("meta");

    private final String word;

    Family(String word) {
        this.word = word;
    }

    /** The name on disk. */
    public String word() {
        return word;
    }
}
