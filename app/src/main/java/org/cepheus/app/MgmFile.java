package org.cepheus.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.MgmAddress;
import org.cepheus.mgm.MgmConfig;
import org.cepheus.mgm.raft.RaftSettings;
import org.cepheus.runtime.TomlTable;

/**
 * The file of one MGM process. {@code members} is the same in the files of all members; {@code
 * member} says which of them this process is.
 */
record MgmFile(
        String member,
        String cluster,
        Path data,
        Path secretFile,
        Path adminTokenFile,
        Path auditFile,
        long keptEntries,
        OptionalLong bufferLimitBytes,
        LogFormat logFormat,
        List<Member> members)
        implements ServerFile {
    /** One MGM as the others, the FSTs and clients reach it. */
    record Member(String id, String host, int xrootd, int http, int admin, int raft, int control) {
        private static Member from(TomlTable table) {
            String host = table.text("host").orElse(Ports.HOST);
            table.check(isLoopback(host), "host", NOT_LOOPBACK.formatted(host));
            return new Member(
                    table.text("id").required(),
                    host,
                    table.port("xrootd").orElse(Ports.USUAL.xrootd()),
                    table.port("http").orElse(Ports.USUAL.http()),
                    table.port("admin").orElse(Ports.USUAL.admin()),
                    table.port("raft").orElse(Ports.USUAL.raft()),
                    table.port("control").orElse(Ports.USUAL.control()));
        }

        private RaftSettings.Peer peer() {
            return new RaftSettings.Peer(
                    id, host, raft, new MgmAddress(host, xrootd, http, admin, control));
        }
    }

    static final String NOT_LOOPBACK =
            "'%s' is not this machine's loopback: without logins a server listens nowhere else";
    private static final int MIN_BUFFER_MIB = 4;
    private static final int MAX_BUFFER_MIB = 1 << 20;
    private static final int MAX_MEMBERS = 7;
    private static final int MIN_KEPT_ENTRIES = 100;
    private static final int MAX_KEPT_ENTRIES = 1_000_000;

    MgmFile {
        members = List.copyOf(members);
    }

    static MgmFile from(TomlTable table) {
        String member = table.text("member").required();
        String cluster = table.text("cluster").required();
        Path data = table.path("data").required();
        Path secret = table.path("secret_file").required();
        Path token =
                table.path("admin_token_file")
                        .optional("admin.token in data")
                        .orElse(data.resolve("admin.token"));
        Path audit =
                table.path("audit_file")
                        .optional("audit.jsonl in data")
                        .orElse(data.resolve("audit.jsonl"));
        long kept =
                table.number("kept_entries", MIN_KEPT_ENTRIES, MAX_KEPT_ENTRIES)
                        .orElse(Math.toIntExact(RaftSettings.KEPT_ENTRIES));
        OptionalLong bufferLimit = bufferLimit(table);
        LogFormat logFormat = LogFormat.from(table);
        List<Member> members = table.tables("members", Member::from);
        checkMembers(table, member, members);
        table.check(isUuid(cluster), "cluster", "must be an UUID, is '%s'".formatted(cluster));
        return new MgmFile(
                member, cluster, data, secret, token, audit, kept, bufferLimit, logFormat, members);
    }

    /** Bytes of network buffers above which a server puts new work off. */
    static OptionalLong bufferLimit(TomlTable table) {
        return table.number("buffer_limit_mib", MIN_BUFFER_MIB, MAX_BUFFER_MIB)
                .optional("3/4 of the JVM's direct memory")
                .map(mib -> OptionalLong.of((long) mib << 20))
                .orElse(OptionalLong.empty());
    }

    private static void checkMembers(TomlTable table, String member, List<Member> members) {
        var ids = new HashSet<String>();
        members.forEach(each ->
                table.check(ids.add(each.id()), "members", "names '" + each.id() + "' twice"));
        table.check(
                members.size() % 2 == 1 && members.size() <= MAX_MEMBERS,
                "members",
                "must be 1, 3, 5 or 7, are " + members.size());
        table.check(
                members.isEmpty() || ids.contains(member),
                "member",
                "'%s' is none of members".formatted(member));
    }

    private Member self() {
        return members.stream().filter(each -> each.id().equals(member)).findFirst().orElseThrow();
    }

    /** What the MGM is started with; only without problems. */
    MgmConfig config() {
        return new MgmConfig(
                member,
                members.stream().map(Member::peer).toList(),
                self().host(),
                data.resolve("mgm"),
                secretFile,
                adminTokenFile,
                UUID.fromString(cluster),
                "",
                MgmConfig.LEAST_FREE_BYTES,
                keptEntries);
    }

    static boolean isUuid(String text) {
        try {
            UUID.fromString(text);
            return true;
        } catch (IllegalArgumentException e) {
            return text.isEmpty(); // Missing: that is another problem.
        }
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
