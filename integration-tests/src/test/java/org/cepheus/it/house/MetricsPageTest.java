package org.cepheus.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules and the dashboard ask for metrics of the manual only. */
class MetricsPageTest {
    private static final Path OPERATING =
            Path.of(System.getProperty("cepheus.root", "..")).resolve("docs/operating");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|");
    private static final Pattern NAME =
            Pattern.compile("\\b(cepheus|jvm|process|system)_[a-z_]+\\b");
    private static final Pattern PART_OF_HISTOGRAM = Pattern.compile("_(bucket|count|sum)$");

    @ParameterizedTest
    @ValueSource(strings = {"grafana/cepheus.json", "prometheus/alerts.yml"})
    void usesDocumentedMetricsOnly(String file) throws IOException {
        Set<String> used = found(NAME, file, 0);

        assertThat(used).hasSizeGreaterThan(10);
        assertThat(documented()).containsAll(used);
    }

    @Test
    void theDashboardShowsEveryKindOfThing() throws IOException {
        assertThat(found(NAME, "grafana/cepheus.json", 0))
                .contains(
                        "cepheus_operation_seconds",
                        "cepheus_bytes_total",
                        "cepheus_raft_commit_seconds",
                        "cepheus_raft_follower_lag_entries",
                        "cepheus_raft_apply_queue_entries",
                        "cepheus_store_file_bytes",
                        "cepheus_direct_memory_bytes",
                        "cepheus_fst_streams",
                        "cepheus_quota_used_bytes");
    }

    private static Set<String> documented() throws IOException {
        return found(ROW, "metrics.md", 1);
    }

    private static Set<String> found(Pattern pattern, String file, int group) throws IOException {
        var names = new TreeSet<String>();
        pattern.matcher(Files.readString(OPERATING.resolve(file)))
                .results()
                .forEach(match ->
                        names.add(PART_OF_HISTOGRAM.matcher(match.group(group)).replaceFirst("")));
        return names;
    }
}
