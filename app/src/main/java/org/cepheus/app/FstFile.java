package org.cepheus.app;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.fst.FstConfig;
import org.cepheus.runtime.TomlTable;

/** The file of one FST process. */
record FstFile(
        int id,
        String cluster,
        String host,
        int xrootd,
        int http,
        int admin,
        Path keyFile,
        Path auditFile,
        List<String> mgms,
        OptionalLong bufferLimitBytes,
        LogFormat logFormat,
        OptionalLong streamBytesPerSecond,
        List<Volume> volumes)
        implements ServerFile {
    /** A directory that holds file data; the id names it for ever. */
    record Volume(int id, Path path) {
        private static Volume from(TomlTable table) {
            return new Volume(
                    table.number("id", 1, 1_000_000).required(), table.path("path").required());
        }
    }

    private static final int MAX_ID = 1_000_000;

    /** A slower stream would look like a dead server to its client. */
    private static final int MIN_STREAM_BYTES_PER_SECOND = 1 << 20;

    FstFile {
        mgms = List.copyOf(mgms);
        volumes = List.copyOf(volumes);
    }

    static FstFile from(TomlTable table) {
        int id = table.number("id", 1, MAX_ID).required();
        String cluster = table.text("cluster").required();
        String host = table.text("host").orElse(Ports.HOST);
        int xrootd = table.port("xrootd").orElse(Ports.USUAL.xrootdOfFst(1));
        int http = table.port("http").orElse(Ports.USUAL.httpOfFst(1));
        int admin = table.port("admin").orElse(Ports.USUAL.admin() + 1);
        Path keyFile = table.path("key_file").required();
        // The volumes hold what users store, and may not be mounted: nothing else is written there.
        Path audit =
                table.path("audit_file")
                        .optional("fstN-audit.jsonl beside key_file")
                        .orElseGet(() -> keyFile.resolveSibling("fst%d-audit.jsonl".formatted(id)));
        List<String> mgms = table.texts("mgms").required();
        OptionalLong bufferLimit = MgmFile.bufferLimit(table);
        LogFormat logFormat = LogFormat.from(table);
        OptionalLong streamLimit = streamLimit(table);
        List<Volume> volumes = table.tables("volume", Volume::from);
        table.check(MgmFile.isLoopback(host), "host", MgmFile.NOT_LOOPBACK.formatted(host));
        table.check(
                MgmFile.isUuid(cluster), "cluster", "must be an UUID, is '%s'".formatted(cluster));
        for (String mgm : mgms) {
            table.check(
                    isAddress(mgm),
                    "mgms",
                    "must hold HOST:PORT of control ports, holds '%s'".formatted(mgm));
        }
        checkVolumes(table, volumes);
        return new FstFile(
                id,
                cluster,
                host,
                xrootd,
                http,
                admin,
                keyFile,
                audit,
                mgms,
                bufferLimit,
                logFormat,
                streamLimit,
                volumes);
    }

    private static OptionalLong streamLimit(TomlTable table) {
        return table.number(
                        "stream_bytes_per_second", MIN_STREAM_BYTES_PER_SECOND, Integer.MAX_VALUE)
                .optional("no limit")
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    private static void checkVolumes(TomlTable table, List<Volume> volumes) {
        table.check(!volumes.isEmpty(), "volume", "is missing: name at least one, [[volume]]");
        var ids = new HashSet<Integer>();
        volumes.forEach(each ->
                table.check(ids.add(each.id()), "volume", "has id " + each.id() + " twice"));
    }

    private static boolean isAddress(String text) {
        int colon = text.lastIndexOf(':');
        return colon > 0 && text.substring(colon + 1).matches("[1-9][0-9]{0,4}");
    }

    /**
     * What the FST is started with; only without problems.
     *
     * @param initialise make volumes of empty directories: never by itself, because the mount point
     *     of a file system that is not mounted is an empty directory
     */
    FstConfig config(boolean initialise) {
        return new FstConfig(
                id,
                UUID.fromString(cluster),
                host,
                host,
                xrootd,
                http,
                keyFile,
                mgms.stream().map(FstFile::address).toList(),
                volumes.stream()
                        .map(each -> new FstConfig.VolumeConfig(each.id(), each.path()))
                        .toList(),
                initialise,
                streamBytesPerSecond);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return InetSocketAddress.createUnresolved(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
