package org.cepheus.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** /metrics of a running server is what the manual says, and counts what clients do. */
class MetricsIT {
    private static final Path OPERATING =
            Path.of(System.getProperty("cepheus.root", ".")).resolve("docs/operating");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int BYTES = 5_000_000;

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (\\w+) \\| ([a-z, ]*) ?\\|");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE ([a-z_]+) (\\w+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)\\{([^}]*)} ");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void theManualHasEveryNameWithItsTypeAndLabels() throws IOException {
        useEverything();
        String page = page();

        Map<String, String> shown = new TreeMap<>();
        TYPE.matcher(page)
                .results()
                .filter(type -> type.group(1).startsWith("cepheus_"))
                .forEach(type ->
                        shown.put(
                                type.group(1), type.group(2) + " " + labels(page, type.group(1))));
        Map<String, String> documented = new TreeMap<>();
        Set<String> others = new TreeSet<>();
        ROW.matcher(Files.readString(OPERATING.resolve("metrics.md")))
                .results()
                .forEach(row -> {
                    if (row.group(1).startsWith("cepheus_")) {
                        var labels = new TreeSet<>(Set.of(row.group(3).strip().split(", *", -1)));
                        labels.remove("");
                        documented.put(row.group(1), row.group(2) + " " + labels);
                    } else {
                        others.add(row.group(1));
                    }
                });
        assertThat(shown).isEqualTo(documented);
        assertThat(others).isNotEmpty().allSatisfy(name -> assertThat(page).contains(name));
    }

    /** Without those that all have, and the bound of a bucket. */
    private static Set<String> labels(String page, String family) {
        var labels = new TreeSet<String>();
        SAMPLE.matcher(page)
                .results()
                .filter(sample ->
                        sample.group(1).equals(family) || sample.group(1).equals(family + "_count"))
                .forEach(sample -> {
                    assertThat(sample.group(2)).contains("part=\"");
                    LABEL.matcher(sample.group(2))
                            .results()
                            .forEach(label -> labels.add(label.group(1)));
                });
        labels.remove("part");
        return labels;
    }

    @Test
    void countsWhatClientsDo() {
        useEverything();

        assertThat(value("cepheus_bytes_total", "protocol=\"xrootd\"", "direction=\"received\""))
                .isGreaterThanOrEqualTo(BYTES);
        assertThat(value("cepheus_bytes_total", "protocol=\"http\"", "direction=\"sent\""))
                .isGreaterThanOrEqualTo(BYTES);
        assertThat(
                        value(
                                "cepheus_operation_seconds_count",
                                "protocol=\"xrootd\"",
                                "result=\"NotFound\""))
                .isPositive();
        assertThat(value("cepheus_raft_commit_seconds_count", "part=\"mgm1\"")).isPositive();
        assertThat(value("cepheus_raft_leader", "part=\"mgm1\"")).isEqualTo(1);
        assertThat(value("cepheus_raft_applied_index"))
                .isPositive()
                .isLessThanOrEqualTo(value("cepheus_raft_log_index"));
        assertThat(value("cepheus_quota_used_bytes", "path=\"/metered\"", "kind=\"project\""))
                .isEqualTo(BYTES);
        assertThat(value("cepheus_quota_limit_bytes", "path=\"/metered\"")).isEqualTo(1 << 30);
        assertThat(value("cepheus_volume_free_bytes")).isPositive();
        assertThat(value("cepheus_fst_alive", "fst=\"2\"")).isEqualTo(1);
        assertThat(value("cepheus_direct_memory_bytes")).isPositive();
        assertThat(value("cepheus_files")).isPositive();
        assertThat(value("cepheus_store_memtable_bytes")).isPositive();
    }

    @Test
    void promtoolFindsNothingWrong() throws IOException {
        useEverything();
        Path page = Files.writeString(directory.resolve("page"), page());
        Client promtool = Client.named("promtool").in(OPERATING.resolve("prometheus"));

        promtool.run("check", "rules", "alerts.yml").succeeded();
        promtool.run("test", "rules", "alerts_test.yml").succeeded();
        String said = Client.named("sh").run("-c", "promtool check metrics < " + page).output();
        assertThat(said.lines().filter(line -> line.startsWith("cepheus_"))).isEmpty();
    }

    /** So that every series is there. */
    private void useEverything() {
        Sample sample = Sample.write(directory.resolve("sample"), BYTES, 1);
        Client xrdfs = Client.named("xrdfs");
        xrdfs.run(UP.get().server(), "mkdir", "-p", "/metered").succeeded();
        UP.get().cli("quota", "set", "/metered", "--bytes", "1GiB", "--files", "100").succeeded();
        Client.named("xrdcp").run("-f", sample.file(), UP.get().root("/metered/file")).succeeded();
        Client.named("curl")
                .run("-sS", "-L", "--fail", "-o", "/dev/null", UP.get().http("/metered/file"))
                .succeeded();
        xrdfs.run(UP.get().server(), "stat", "/nowhere").failed();
        Deadline.await(
                "the FSTs have told of their volumes",
                SOON,
                () -> page().contains("cepheus_volume_free_bytes{"));
    }

    private static String page() {
        return Client.named("curl")
                .run("-sS", "--fail", UP.get().admin("/metrics"))
                .succeeded()
                .output();
    }

    /** The sum over all series with those labels. */
    private static double value(String name, String... labels) {
        return page().lines()
                .filter(line -> line.startsWith(name + "{"))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
