package org.cepheus.fst;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The whole configuration of an FST, to be checked before anything starts.
 *
 * @param cluster the cluster it belongs to; volumes and MGMs of another one are refused
 * @param host the address to listen on
 * @param advertisedHost what clients are told
 * @param xrootdPort 0 for any free one, as {@code httpPort}
 * @param keyFile holds the text of the FST's key
 * @param mgms control ports of the MGMs
 * @param initialiseVolumes make volumes of directories that are empty
 * @param streamBytesPerSecond what one open file may read and write; absent for no limit
 */
public record FstConfig(
        int fstId,
        UUID cluster,
        String host,
        String advertisedHost,
        int xrootdPort,
        int httpPort,
        Path keyFile,
        List<InetSocketAddress> mgms,
        List<VolumeConfig> volumes,
        boolean initialiseVolumes,
        OptionalLong streamBytesPerSecond) {
    /** The most volumes of one FST: each has threads of its own. */
    public static final int MAX_VOLUMES = 100;

    public FstConfig {
        mgms = List.copyOf(mgms);
        volumes = List.copyOf(volumes);
    }

    /** One directory and the number it has in the whole cluster. */
    public record VolumeConfig(int volumeId, Path path) {}

    /** What is wrong, a sentence each; empty if nothing is. */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        if (fstId < 1) {
            problems.add("id must be 1 or more, is " + fstId);
        }
        checkPort(problems, "xrootd", xrootdPort);
        checkPort(problems, "http", httpPort);
        if (xrootdPort != 0 && xrootdPort == httpPort) {
            problems.add("xrootd and http must be different ports, both are " + httpPort);
        }
        if (mgms.isEmpty()) {
            problems.add("mgms must name the control port of at least one MGM");
        }
        if (volumes.isEmpty() || volumes.size() > MAX_VOLUMES) {
            problems.add(
                    "an FST has 1 to %d volumes, here are %d"
                            .formatted(MAX_VOLUMES, volumes.size()));
        }
        if (streamBytesPerSecond.isPresent() && streamBytesPerSecond.getAsLong() < 1) {
            problems.add(
                    "a stream must have 1 byte per second or more, has "
                            + streamBytesPerSecond.getAsLong());
        }
        var ids = new HashSet<Integer>();
        var paths = new HashSet<Path>();
        for (VolumeConfig volume : volumes) {
            if (volume.volumeId() < 1 || !ids.add(volume.volumeId())) {
                problems.add(
                        "volume ids must be 1 or more and differ, here is " + volume.volumeId());
            }
            if (!paths.add(volume.path().toAbsolutePath().normalize())) {
                problems.add("two volumes have the path " + volume.path());
            }
        }
        return problems;
    }

    private static void checkPort(List<String> problems, String name, int port) {
        if (port < 0 || port > 65_535) {
            problems.add("%s must be a port 0..65535, is %d".formatted(name, port));
        }
    }
}
