package org.cepheus.runtime;

/**
 * Everything that a health check can find, by a code that monitoring may rely on. {@code GET
 * /api/v1/errors} shows the list, and docs/errors.md is checked against it.
 */
public enum HealthCode {
    NO_LEADER(
            "NoLeader",
            HealthRegistry.Level.ERROR,
            "The MGMs have no leader, so nothing can be changed.",
            "Start the missing members; a majority elects a leader by itself."),
    NO_FST(
            "NoFst",
            HealthRegistry.Level.ERROR,
            "No FST is alive, so no file can be read or written.",
            "Start an FST."),
    FST_SILENT(
            "FstSilent",
            HealthRegistry.Level.WARN,
            "An FST does not answer.",
            "Look at its log and start it again."),
    VOLUME_UNUSABLE(
            "VolumeUnusable",
            HealthRegistry.Level.ERROR,
            "No FST can use a volume.",
            "Look whether it is mounted, and at the logs of the FSTs."),
    VOLUME_NEARLY_FULL(
            "VolumeNearlyFull",
            HealthRegistry.Level.WARN,
            "A volume has less than 5 % free.",
            "Remove files or add a volume."),
    DISK_NEARLY_FULL(
            "DiskNearlyFull",
            HealthRegistry.Level.ERROR,
            "The disk of this MGM has too little room, so it takes no changes.",
            "Free some room."),
    AUDIT_INCOMPLETE(
            "AuditIncomplete",
            HealthRegistry.Level.WARN,
            "Lines of the audit log were not written.",
            "Look for a slow or full disk under the audit file."),
    NO_MGM(
            "NoMgm",
            HealthRegistry.Level.ERROR,
            "No leading MGM takes this FST in.",
            "See whether the MGMs run, and the log of this FST."),
    CHECK_FAILED(
            "CheckFailed",
            HealthRegistry.Level.ERROR,
            "A health check failed itself.",
            "See the log, and report it.");

    private final String word;
    private final HealthRegistry.Level level;
    private final String meaning;
    private final String advice;

    HealthCode(String word, HealthRegistry.Level level, String meaning, String advice) {
        this.word = word;
        this.level = level;
        this.meaning = meaning;
        this.advice = advice;
    }

    /** The code in JSON and on the command line. */
    public String word() {
        return word;
    }

    public HealthRegistry.Level level() {
        return level;
    }

    /** One sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do now. */
    public String advice() {
        return advice;
    }
}
