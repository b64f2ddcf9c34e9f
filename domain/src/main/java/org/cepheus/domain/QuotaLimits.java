package org.cepheus.domain;

import org.cepheus.domain.command.QuotaChange;

/**
 * What may be used under a quota node. A hard limit refuses what would grow beyond it; a soft one
 * only shows, as a warning, in every report.
 *
 * @param bytes from 0, {@link #UNLIMITED} or {@link #INHERITED}; so are the others
 * @param softBytes warn from here
 */
public record QuotaLimits(long bytes, long files, long softBytes, long softFiles) {
    /** No limit, whatever the default of the node is. */
    public static final long UNLIMITED = -1;

    /** No limit of its own: the node's default for users or groups counts, if it has one. */
    public static final long INHERITED = -2;

    /** Nothing of its own. */
    public static final QuotaLimits NONE =
            new QuotaLimits(INHERITED, INHERITED, INHERITED, INHERITED);

    /** These after a change. */
    public QuotaLimits with(QuotaChange change) {
        return new QuotaLimits(
                change.bytes().orElse(bytes),
                change.files().orElse(files),
                change.softBytes().orElse(softBytes),
                change.softFiles().orElse(softFiles));
    }

    /** These, with the defaults where there is none of its own. */
    public QuotaLimits over(QuotaLimits defaults) {
        return new QuotaLimits(
                bytes == INHERITED ? defaults.bytes : bytes,
                files == INHERITED ? defaults.files : files,
                softBytes == INHERITED ? defaults.softBytes : softBytes,
                softFiles == INHERITED ? defaults.softFiles : softFiles);
    }

    /** Whether a default would show in {@link #over}. */
    public boolean inherits() {
        return bytes == INHERITED
                || files == INHERITED
                || softBytes == INHERITED
                || softFiles == INHERITED;
    }
}
