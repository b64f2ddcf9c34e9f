package org.cepheus.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.ExitCode;
import org.cepheus.cli.ServerOptions;
import org.cepheus.domain.FsException;
import org.cepheus.fst.volume.PosixVolume;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus init}: the files of a new site, ready to start. */
final class InitCommand {
    private static final int MAX_FSTS = 100;
    private static final int USUAL_FSTS = 2;

    private InitCommand() {}

    static CommandSpec spec() {
        CommandSpec init =
                CommandTree.command(
                        "init",
                        "Write the commented files of a new site into a directory: three MGMs, some FSTs, their"
                                + " secret and keys, and volumes with labels. Nothing is started.",
                        InitCommand::run);
        init.addPositional(
                        PositionalParamSpec.builder()
                                .index("0")
                                .required(true)
                                .type(Path.class)
                                .paramLabel("DIR")
                                .description("A directory that does not exist yet, or is empty.")
                                .build())
                .addOption(
                        OptionSpec.builder("--fsts")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description("How many FSTs, 1..100 (2).")
                                .build())
                .addOption(
                        OptionSpec.builder("--port-base")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description(
                                        "The first port (1094): five for each MGM, then three for each FST.")
                                .build())
                .addOption(
                        OptionSpec.builder("--volume")
                                .type(List.class)
                                .auxiliaryTypes(Path.class)
                                .paramLabel("DIR")
                                .description(
                                        "An empty directory for file data, such as one on a CephFS mount; repeat it for"
                                                + " more (DIR/volume1).")
                                .build());
        return CommandTree.examples(
                init,
                "cepheus init /srv/cepheus",
                "cepheus init /srv/cepheus --fsts 4 --volume /mnt/cephfs1/data --volume /mnt/cephfs2/data");
    }

    private static int run(ParseResult given, PrintWriter out) {
        int fsts = given.matchedOptionValue("--fsts", USUAL_FSTS);
        if (fsts < 1 || fsts > MAX_FSTS) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--fsts must be 1..%d, is %d".formatted(MAX_FSTS, fsts));
        }
        int base = given.matchedOptionValue("--port-base", Ports.USUAL.xrootd());
        var ports = new SitePorts(base, Site.MGMS, fsts);
        Path root = given.matchedPositionalValue(0, Path.of("")).toAbsolutePath().normalize();
        List<Path> volumes =
                given.matchedOptionValue("--volume", List.of(root.resolve("volume1"))).stream()
                        .map(each -> each.toAbsolutePath().normalize())
                        .toList();
        var site = new Site(root, UUID.randomUUID(), ports, volumes);
        try {
            write(site);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "cannot write all of %s: %s; remove what is there before another try"
                            .formatted(root, e));
        } catch (FsException e) {
            throw new CommandFailure(ExitCode.FAILED, e.error().message());
        }
        out.print(site.readme());
        return ExitCode.OK;
    }

    /** The labels first: a directory that is no empty one is noticed before anything is written. */
    private static void write(Site site) throws IOException {
        Path root = site.root();
        refuseUsed(root);
        for (int id = 1; id <= site.volumes().size(); id++) {
            PosixVolume.open(id, site.volumes().get(id - 1), site.cluster(), true).close();
        }
        Files.createDirectories(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        ClusterSecret secret = ClusterSecret.draw(new SecureRandom());
        secret.writeNew(site.secret());
        ClusterSecret.writePrivateText(
                root.resolve(ServerOptions.TOKEN_FILE), secret.adminToken() + "\n");
        for (int number = 1; number <= Site.MGMS; number++) {
            Files.writeString(site.mgmFile(number), site.mgm(number));
        }
        var keys = new FstKeys(secret);
        for (int number = 1; number <= site.ports().fsts(); number++) {
            ClusterSecret.writePrivateText(site.fstKey(number), keys.keyOf(number).toText() + "\n");
            Files.writeString(site.fstFile(number), site.fst(number));
        }
        Files.writeString(root.resolve("README"), site.readme());
        Files.writeString(root.resolve(ServerOptions.CLIENT_FILE), site.clientProperties());
    }

    private static void refuseUsed(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        boolean isEmpty = Files.isDirectory(root);
        if (isEmpty) {
            try (var entries = Files.list(root)) {
                isEmpty = entries.findAny().isEmpty();
            }
        }
        if (!isEmpty) {
            throw new CommandFailure(
                    ExitCode.CONFLICT,
                    "%s is there already and not empty; name another directory".formatted(root));
        }
    }
}
