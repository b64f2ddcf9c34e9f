package org.cepheus.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What {@code stat}, {@code ls} and {@code find} show of a file or directory. */
final class EntryColumns {
    /** Of a row of a directory, under the keys of EOS's {@code file info}. */
    static final List<Column> OF_ROW =
            List.of(
                    Column.text("path", "path", "path"),
                    Column.text("name", "name", "name"),
                    Column.text("type", "type", "kind"),
                    Column.bytes("size", "size", "sizeBytes"),
                    Column.text("mode", "mode", "mode"),
                    Column.text("owner", "uid", "owner"),
                    Column.text("group", "gid", "group"),
                    Column.time("modified", "mtime", "modified"),
                    Column.of("fxid", "fxid", EntryColumns::hexInode),
                    Column.of("xstype", "xstype", entry -> checksum(entry, true)),
                    Column.of("xs", "xs", entry -> checksum(entry, false)));

    private EntryColumns() {}

    /** Of one entry below each other; a line for each checksum it has. */
    static Details details(JsonNode entry) {
        var columns =
                new ArrayList<Column>(
                        List.of(
                                Column.text("path", "file", "path"),
                                Column.text("kind", "type", "kind"),
                                Column.of("size", "size", EntryColumns::size),
                                Column.text("mode", "mode", "mode"),
                                Column.text("owner", "uid", "owner"),
                                Column.text("group", "gid", "group"),
                                Column.time("modified", "mtime", "modified"),
                                Column.time("changed", "ctime", "changed"),
                                Column.time("born", "btime", "born"),
                                Column.number("inode", "ino", "inode"),
                                Column.of("fxid", "fxid", EntryColumns::hexInode),
                                Column.number("version", "version", "version"),
                                Column.of("", "xstype", e -> checksum(e, true)),
                                Column.of("", "xs", e -> checksum(e, false))));
        for (Map.Entry<String, JsonNode> sum : entry.path("checksums").properties()) {
            columns.add(Column.of(sum.getKey(), "", e -> Cell.text(sum.getValue().asString())));
        }
        columns.add(Column.of("note", "", EntryColumns::note));
        return new Details(columns);
    }

    private static Cell size(JsonNode entry) {
        long bytes = entry.path("sizeBytes").asLong();
        return new Cell(
                "%s (%d bytes)".formatted(ByteCount.format(bytes), bytes),
                Long.toString(bytes),
                Tone.PLAIN);
    }

    private static Cell hexInode(JsonNode entry) {
        return Cell.text("%08x".formatted(entry.path("inode").asLong()));
    }

    /** The one that EOS would have shown: the first, which is adler32 where there is one. */
    private static Cell checksum(JsonNode entry, boolean isType) {
        Cell first = Cell.NONE;
        for (Map.Entry<String, JsonNode> sum : entry.path("checksums").properties()) {
            if (first.equals(Cell.NONE) || sum.getKey().startsWith("adler")) {
                first = Cell.text(isType ? sum.getKey() : sum.getValue().asString());
            }
        }
        return first;
    }

    private static Cell note(JsonNode entry) {
        return entry.path("underUpdate").asBoolean()
                ? Cell.text("a writer is changing it in place").in(Tone.WARN)
                : Cell.NONE;
    }
}
