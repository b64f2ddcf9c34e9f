package org.cepheus.fst.volume;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * The file at the root of a volume that says which one it is, so that an unmounted or foreign
 * directory is never written to. Lines of {@code name = value} in a fixed order.
 *
 * @param highestEpoch the latest restore epoch that was seen here: an older MGM is refused
 */
public record VolumeLabel(UUID volume, UUID cluster, int volumeId, int highestEpoch) {
    /** The name of the file. */
    public static final String FILE = "cepheus-volume";

    /** The most bytes a label may have. */
    public static final int MAX_BYTES = 4_096;

    private static final String VERSION = "1";

    public VolumeLabel withEpoch(int epoch) {
        return new VolumeLabel(volume, cluster, volumeId, epoch);
    }

    public String toText() {
        return """
        # Cepheus keeps data in this directory. Do not change this file.
        version = %s
        volume = %s
        cluster = %s
        id = %d
        epoch = %d
        """
                .formatted(VERSION, volume, cluster, volumeId, highestEpoch);
    }

    /**
     * Reads a label.
     *
     * @param where named in messages
     * @throws FsException InvalidArgument
     */
    public static VolumeLabel parse(String text, String where) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (!line.startsWith("#") && equals > 0) {
                values.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            }
        }
        String version = values.getOrDefault("version", "none");
        if (!version.equals(VERSION)) {
            throw damaged(where, "its version is %s, known is %s".formatted(version, VERSION));
        }
        try {
            return new VolumeLabel(
                    UUID.fromString(values.getOrDefault("volume", "")),
                    UUID.fromString(values.getOrDefault("cluster", "")),
                    Integer.parseInt(values.getOrDefault("id", "")),
                    Integer.parseInt(values.getOrDefault("epoch", "")));
        } catch (IllegalArgumentException e) {
            throw damaged(where, "it is incomplete");
        }
    }

    private static FsException damaged(String where, String why) {
        return new FsException(
                new FsError.InvalidArgument(
                        "the volume label %s cannot be used: %s".formatted(where, why)));
    }
}
