package org.cepheus.cli;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a row about a volume shows. */
final class VolumeColumns {
    private static final double WARN_PERCENT = 90;
    private static final double BAD_PERCENT = 95;

    static final List<Column> OF_STATUS =
            List.of(
                    Column.number("volume", "id", "id"),
                    Column.of("active", "stat.active", VolumeColumns::active),
                    Column.numbers("used", "stat.statfs.usedbytes", VolumeColumns::used),
                    Column.bytes("free", "stat.statfs.freebytes", "freeBytes"),
                    Column.bytes("capacity", "stat.statfs.capacity", "totalBytes"),
                    Column.of("usage", "stat.statfs.filled", VolumeColumns::usage));

    private VolumeColumns() {}

    private static Cell active(JsonNode volume) {
        return Column.state(volume.path("usable").asBoolean() ? "online" : "offline");
    }

    static Cell used(JsonNode volume) {
        return Cell.bytes(usedBytes(volume));
    }

    private static long usedBytes(JsonNode volume) {
        return volume.path("totalBytes").asLong() - volume.path("freeBytes").asLong();
    }

    /** How full it is, in the colour of how soon somebody has to act. */
    static Cell usage(JsonNode volume) {
        long total = volume.path("totalBytes").asLong();
        double percent = Bar.percent(usedBytes(volume), total);
        return Bar.cell(usedBytes(volume), total, toneOf(percent));
    }

    static Tone toneOf(double percent) {
        return percent >= BAD_PERCENT ? Tone.BAD : percent >= WARN_PERCENT ? Tone.WARN : Tone.PLAIN;
    }
}
