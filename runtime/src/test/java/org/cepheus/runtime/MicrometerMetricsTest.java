package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.cepheus.domain.port.Metrics;
import org.junit.jupiter.api.Test;

final class MicrometerMetricsTest {
    private final MicrometerMetrics metrics = MicrometerMetrics.of("mgm");

    @Test
    void countsOperationsByResult() {
        metrics.operation("xrootd", "open", "ok", 2_000_000);
        metrics.operation("xrootd", "open", "ok", 2_000_000);
        metrics.operation("xrootd", "open", "NotFound", 1_000);

        assertThat(lines("cepheus_operation_seconds_count"))
                .contains("operation=\"open\",part=\"mgm\",protocol=\"xrootd\",result=\"ok\"} 2")
                .contains("result=\"NotFound\"} 1");
        assertThat(lines("cepheus_operation_seconds_bucket")).contains("le=\"0.01\"} 2");
    }

    @Test
    void countsBytesByDirection() {
        metrics.bytes("http", true, 10);
        metrics.bytes("http", true, 5);
        metrics.bytes("http", false, 7);

        assertThat(lines("cepheus_bytes_total"))
                .contains("direction=\"received\",part=\"mgm\",protocol=\"http\"} 15")
                .contains("direction=\"sent\",part=\"mgm\",protocol=\"http\"} 7");
    }

    @Test
    void readsAGaugeWhenSomebodyLooks() {
        var streams = new AtomicLong(3);
        metrics.gauge("streams", "open streams", streams::get);
        streams.set(4);

        assertThat(lines("cepheus_streams")).contains("cepheus_streams{part=\"mgm\"} 4");
    }

    @Test
    void keepsThePartsOfOneProcessApart() {
        metrics.beside("fst-1").gauge("streams", "open streams", () -> 1);
        metrics.beside("fst-2").gauge("streams", "open streams", () -> 2);

        assertThat(lines("cepheus_streams"))
                .contains("{part=\"fst-1\"} 1")
                .contains("{part=\"fst-2\"} 2");
    }

    @Test
    void readsATableWhenSomebodyLooks() {
        var nodes = new ArrayList<>(List.of(new Metrics.Row(List.of("/a \"b\\", "user"), 7)));
        metrics.table("quota_used_bytes", "used", List.of("path", "kind"), () -> nodes);
        metrics.beside("fst1").table("quota_used_bytes", "used", List.of(), List::of);

        assertThat(metrics.prometheusText())
                .contains(
                        """
                        # HELP cepheus_quota_used_bytes used
                        # TYPE cepheus_quota_used_bytes gauge
                        cepheus_quota_used_bytes{part="mgm",path="/a \\"b\\\\",kind="user"} 7
                        """);
        nodes.clear();
        assertThat(lines("cepheus_quota_used_bytes")).isEmpty();
    }

    @Test
    void leavesOutATableThatCannotBeReadNow() {
        metrics.table(
                "volumes",
                "volumes",
                List.of(),
                () -> {
                    throw new IllegalStateException("the store is being exchanged");
                });

        assertThat(lines("cepheus_volumes")).isEmpty();
    }

    @Test
    void sortsDurationsIntoBuckets() {
        LongConsumer durations = metrics.durations("raft_commit", "commits");

        durations.accept(2_000_000);

        assertThat(lines("cepheus_raft_commit_seconds_bucket"))
                .contains("{part=\"mgm\",le=\"0.001\"} 0")
                .contains("{part=\"mgm\",le=\"0.01\"} 1");
        assertThat(lines("cepheus_raft_commit_seconds_count")).contains("{part=\"mgm\"} 1");
    }

    @Test
    void countsWhatExceedsTheLimitOfSeriesAsOther() {
        for (int i = 0; i < MicrometerMetrics.MAX_SERIES + 10; i++) {
            metrics.operation("xrootd", "open" + i, "ok", 1);
        }

        assertThat(lines("cepheus_operation_seconds_count"))
                .contains(
                        "operation=\"other\",part=\"mgm\",protocol=\"other\",result=\"other\"} 10");
    }

    private String lines(String start) {
        return String.join(
                "\n",
                metrics.prometheusText().lines().filter(line -> line.startsWith(start)).toList());
    }
}
