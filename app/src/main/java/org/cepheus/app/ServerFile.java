package org.cepheus.app;

import org.cepheus.runtime.TomlTable;

/** The configuration file of a server. */
sealed interface ServerFile permits MgmFile, FstFile {
    String cluster();

    /** Reads a file of either kind: an MGM's has members, an FST's has volumes. */
    static ServerFile from(TomlTable table) {
        if (table.has("volume") || table.has("mgms")) {
            return FstFile.from(table);
        }
        table.check(
                table.has("member") || table.has("members"),
                "member",
                "is not there, and neither is volume: this is the file of no MGM and no FST");
        return MgmFile.from(table);
    }
}
