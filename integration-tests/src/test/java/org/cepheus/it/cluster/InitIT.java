package org.cepheus.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Ports;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code cepheus init} writes a site that starts as it is. */
class InitIT {
    private static final Duration START = Duration.ofSeconds(60);

    @TempDir Path directory;

    @Test
    void aNewSiteStartsFromItsFilesAndTakesAFile() {
        int base = Ports.freeBase();
        Path site = directory.resolve("site");
        cepheus("init", site, "--port-base", base, "--fsts", 2).said("cepheus mgm --config");
        cepheus("config", "check", site.resolve("mgm1.toml"), site.resolve("fst1.toml"));
        Map<String, Running> servers = new LinkedHashMap<>();
        try {
            for (String server : List.of("mgm1", "mgm2", "mgm3", "fst1", "fst2")) {
                servers.put(
                        server,
                        Client.cepheus()
                                .with("CEPHEUS_JVM_FLAGS", "-Xms64m -Xmx512m")
                                .start(
                                        server.substring(0, 3),
                                        "--config",
                                        site.resolve(server + ".toml")));
            }
            Deadline.await(
                    () -> "a leader with both FSTs: " + said(servers),
                    START,
                    () -> {
                        servers.forEach((name, server) ->
                                assertThat(server.isAlive())
                                        .as(() -> name + " has ended: " + server.output())
                                        .isTrue());
                        return fstsThatAnswer(site) == 2;
                    });

            Sample sample = Sample.write(directory.resolve("sample"), 3_000_000, 1);
            String url = "root://127.0.0.1:%d//file".formatted(base);
            Path copy = directory.resolve("copy");
            Client.named("xrdcp").run("--cksum", "adler32", sample.file(), url).succeeded();
            Client.named("xrdcp").run(url, copy).succeeded();

            assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());

            Objects.requireNonNull(servers.get("mgm1")).kill();
            Deadline.await(
                    () -> "the next member answers for the first: " + said(servers),
                    START,
                    () -> Client.cepheus().run("stat", "/file", "--data", site).exitCode() == 0);
        } finally {
            servers.values().forEach(Running::kill);
        }
    }

    private static int fstsThatAnswer(Path site) {
        Run status = Client.cepheus().run("status", "--json", "--data", site);
        if (status.exitCode() != 0) {
            return 0;
        }
        int alive = 0;
        for (JsonNode fst : JsonMapper.shared().readTree(status.output()).path("fsts")) {
            alive += fst.path("alive").asBoolean() ? 1 : 0;
        }
        return alive;
    }

    private static Run cepheus(Object... words) {
        return Client.cepheus().run(words).succeeded();
    }

    private static String said(Map<String, Running> servers) {
        var all = new StringBuilder();
        servers.forEach((name, server) -> all.append(name).append(": ").append(server.output()));
        return all.toString();
    }
}
