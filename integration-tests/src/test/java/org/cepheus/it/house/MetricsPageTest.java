package org.cepheus.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rules and the dashboard ask for metrics of the manual only. */
class MetricsPageTest {
    private static final Path OPERATING =
            Path.of(System.getProperty("cepheus.root", "..")).resolve("docs/operating");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|");
    private static final Pattern NAME =
            Pattern.compile("\\b(cepheus|jvm|process|system)_[a-z_]+\\b");

    /** Labels, times, functions and how they group. */
    private static final Pattern NO_METRIC =
            Pattern.compile("\\{[^}]*}|\\[[^]]*]|\\bby \\([^)]*\\)|[a-z_]+ ?(?=\\()|\\bsum|\\bmax");

    private static final Pattern WORD = Pattern.compile("[a-z_]+");
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

    @Test
    void everyPanelOfTheDashboardAsksForDocumentedMetricsAndNothingElse() throws IOException {
        JsonNode dashboard =
                JsonMapper.shared()
                        .readTree(Files.readString(OPERATING.resolve("grafana/cepheus.json")));

        List<JsonNode> panels =
                dashboard.path("panels").values().stream()
                        .filter(panel -> !panel.path("type").asString().equals("row"))
                        .toList();
        assertThat(panels).hasSizeGreaterThan(10);
        for (JsonNode panel : panels) {
            String title = panel.path("title").asString();
            assertThat(panel.path("targets")).as(title).isNotEmpty();
            for (JsonNode target : panel.path("targets")) {
                assertThat(metricsOf(target.path("expr").asString()))
                        .as(title)
                        .isNotEmpty()
                        .isSubsetOf(documented());
            }
        }
    }

    /** The names in an expression that are no function and no label. */
    private static Set<String> metricsOf(String expression) {
        var names = new TreeSet<String>();
        WORD.matcher(NO_METRIC.matcher(expression).replaceAll(" "))
                .results()
                .forEach(word ->
                        names.add(PART_OF_HISTOGRAM.matcher(word.group()).replaceFirst("")));
        return names;
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
