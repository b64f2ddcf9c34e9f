package org.cepheus.app;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files of a new site as texts: three MGMs, some FSTs, and volumes that every FST serves. All
 * on loopback, because without logins a server listens nowhere else.
 *
 * @param root where the files and the servers' data are, absolute
 */
record Site(Path root, UUID cluster, SitePorts ports, List<Path> volumes) {
    static final int MGMS = 3;

    Site {
        volumes = List.copyOf(volumes);
    }

    Path secret() {
        return root.resolve("cluster.secret");
    }

    Path mgmFile(int number) {
        return root.resolve("mgm" + number + ".toml");
    }

    Path fstFile(int number) {
        return root.resolve("fst" + number + ".toml");
    }

    Path fstKey(int number) {
        return root.resolve("fst" + number + ".key");
    }

    /** The file of one MGM. */
    String mgm(int number) {
        String members =
                IntStream.rangeClosed(1, MGMS).mapToObj(this::member).collect(Collectors.joining());
        return """
        # MGM %1$d of %2$d. Start it: cepheus mgm --config %3$s
        # The files of the MGMs differ in `member` and `data` only.

        # Which of the members below this process is.
        member = "mgm%1$d"

        # The cluster's id, the same in every file of the cluster. It was drawn by `cepheus init`.
        cluster = "%4$s"

        # The namespace and the Raft log. Fast, local disk; never shared between members.
        data = %5$s

        # The secret that all members share, mode 0600. Keys of FSTs and the admin token come from it.
        secret_file = %6$s

        # What operators send as a bearer token; made from the secret if it is missing.
        # admin_token_file = "admin.token in data"

        # Who did what, one JSON object per line.
        # audit_file = "audit.jsonl in data"

        # Entries of the log that stay for members that are away; each takes up to a kilobyte of memory.
        # kept_entries = 200000

        # Above so many MiB of network buffers new work is put off; otherwise above 3/4 of the JVM's direct memory.
        # buffer_limit_mib = 768

        # Lines of the log on standard error: "text", or "json" for one object per line.
        # log_format = "text"

        # Every member as the others, the FSTs and clients reach it. A member goes to a machine of its own by
        # its `host` here, in the files of all members, and by `mgms` in the files of the FSTs. Of its ports `xrootd`
        # and `http` are for clients, `admin` for operators (REST, health and metrics), `raft` for the other
        # members, and `control` for FSTs. `id` is what `member` names.
        """
                        .formatted(
                                number,
                                MGMS,
                                mgmFile(number),
                                cluster,
                                text(root.resolve("mgm" + number)),
                                text(secret()))
                + members;
    }

    private String member(int number) {
        int port = ports.ofMgm(number);
        return """
        [[members]]
        id = "mgm%d"
        host = "%s"
        xrootd = %d
        http = %d
        admin = %d
        raft = %d
        control = %d
        """
                .formatted(number, Ports.HOST, port, port + 1, port + 2, port + 3, port + 4);
    }

    /** The file of one FST. */
    String fst(int number) {
        int port = ports.ofFst(number);
        String mgms =
                IntStream.rangeClosed(1, MGMS)
                        .mapToObj(i -> "\"%s:%d\"".formatted(Ports.HOST, ports.controlOfMgm(i)))
                        .collect(Collectors.joining(", "));
        return """
        # FST %1$d. Start it: cepheus fst --config %2$s

        # Names this FST for ever; no two of a cluster may have the same.
        id = %1$d

        # As in the files of the MGMs.
        cluster = "%3$s"

        # Where clients are redirected to for bytes: the ports `xrootd` and `http` at `host`.
        host = "%4$s"
        xrootd = %5$d
        http = %6$d

        # Health and metrics of this process.
        admin = %7$d

        # This FST's key, mode 0600: cepheus key fst --id %1$d --secret-file %8$s
        key_file = %9$s

        # Who read and wrote what, one JSON object per line.
        # audit_file = "fstN-audit.jsonl beside key_file"

        # Above so many MiB of network buffers new work is put off; otherwise above 3/4 of the JVM's direct memory.
        # buffer_limit_mib = 768

        # Lines of the log on standard error: "text", or "json" for one object per line.
        # log_format = "text"

        # One open file may read and write at most so much; leave it out for no limit.
        # stream_bytes_per_second = 500000000

        # The control port of every MGM.
        mgms = [%10$s]

        # A volume is the directory `path`: a CephFS mount, or any file system with extended attributes. `id` names it for
        # ever; FSTs that mount the same CephFS list it under the same id. `cepheus init` has labelled these; of
        # another empty directory `--init-volumes` makes a volume, once.
        """
                        .formatted(
                                number,
                                fstFile(number),
                                cluster,
                                Ports.HOST,
                                port,
                                port + 1,
                                port + 2,
                                secret(),
                                text(fstKey(number)),
                                mgms)
                + volumeTables();
    }

    private String volumeTables() {
        return IntStream.rangeClosed(1, volumes.size())
                .mapToObj(id ->
                        """
                        [[volume]]
                        id = %d
                        path = %s
                        """
                                .formatted(id, text(volumes.get(id - 1))))
                .collect(Collectors.joining());
    }

    /** For commands that are given {@code --data}: one of these answers as long as one runs. */
    String clientProperties() {
        return IntStream.rangeClosed(1, MGMS)
                .mapToObj(i -> "http://%s:%d".formatted(Ports.HOST, ports.adminOfMgm(i)))
                .collect(
                        Collectors.joining(
                                ",",
                                "# The admin ports of the MGMs, for commands with --data.\nurl=",
                                "\n"));
    }

    /** What to do with the files; also what {@code init} prints. */
    String readme() {
        String mgms =
                IntStream.rangeClosed(1, MGMS)
                        .mapToObj(i -> "    cepheus mgm --config %s%n".formatted(mgmFile(i)))
                        .collect(Collectors.joining());
        String fsts =
                IntStream.rangeClosed(1, ports.fsts())
                        .mapToObj(i -> "    cepheus fst --config %s%n".formatted(fstFile(i)))
                        .collect(Collectors.joining());
        return """
        A Cepheus site of %1$d MGMs and %2$d FSTs in %3$s

        Start each server in a terminal of its own, in any order:

        %4$s%5$s
        Each prints `ready`. Then, from anywhere:

            cepheus status --data %3$s
            xrdcp FILE root://%6$s:%7$d//name
            cepheus config check %3$s/*.toml

        Two of the three MGMs are enough; one FST is. Keep cluster.secret and the .key files to yourself: with
        them somebody is a server of this cluster.
        """
                .formatted(MGMS, ports.fsts(), root, mgms, fsts, Ports.HOST, ports.ofMgm(1));
    }

    /** A TOML string. */
    private static String text(Path path) {
        return "\"" + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
