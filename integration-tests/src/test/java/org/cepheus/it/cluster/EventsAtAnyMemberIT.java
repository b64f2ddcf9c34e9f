package org.cepheus.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Heard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listener may go on at any member, by the id of the last event that it saw. */
class EventsAtAnyMemberIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String EVENTS = "/api/v1/events?path=/heard&type=created";
    private static final int FIRST = 120;
    private static final int SECOND = 40;
    private static final int CLIENTS = 8;

    @TempDir Path directory;

    @Test
    void nothingIsMissedAndNothingComesTwiceWhereverAListenerGoesOn() throws Exception {
        try (var cluster = CepheusProcesses.start(directory, 3)) {
            int leader = cluster.leader();
            int one = (leader + 1) % 3;
            int other = (leader + 2) % 3;
            make(cluster, leader, "/heard");
            makeMany(cluster, leader, 0, FIRST);

            List<Heard> all = listen(cluster, one, FIRST + 1, "0");
            List<Heard> begin = upToAnId(all.subList(0, FIRST / 2));
            String seen = begin.getLast().id().orElseThrow();
            List<Heard> rest = all.subList(begin.size(), all.size());

            assertThat(paths(all)).doesNotHaveDuplicates().hasSize(FIRST + 1);
            assertThat(ids(all)).as("several commands in some entry").hasSizeLessThan(all.size());
            assertThat(listen(cluster, other, rest.size(), seen)).isEqualTo(rest);
            assertThat(listen(cluster, leader, rest.size(), seen)).isEqualTo(rest);
            assertThat(
                            Heard.listen(
                                    cluster.admin(other, EVENTS + "&after=" + seen),
                                    cluster.adminToken(other),
                                    rest.size()))
                    .isEqualTo(rest);

            String last = all.getLast().id().orElseThrow();
            cluster.killMgm(leader);
            Deadline.await("another leads", LIMIT, () -> takesOrders(cluster));
            makeMany(cluster, cluster.leader(), FIRST, SECOND);

            assertThat(paths(listen(cluster, one, SECOND, last)))
                    .isEqualTo(paths(listen(cluster, other, SECOND, last)))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(FIRST, FIRST + SECOND)
                                    .mapToObj(i -> "/heard/" + i)
                                    .toList());

            List<Heard> later = listen(cluster, one, rest.size() + SECOND, seen);
            aMemberThatWasStartedHasThemAllOrSaysThatItHasNot(cluster, leader, seen, later);
        }
    }

    // Its memory begins with what it applies after its start; a gap is never passed over in
    // silence.
    private static void aMemberThatWasStartedHasThemAllOrSaysThatItHasNot(
            CepheusProcesses cluster, int member, String seen, List<Heard> later) throws Exception {
        cluster.startMgm(member);
        Deadline.await("it answers", LIMIT, () -> cluster.status(member).has("role"));

        int status =
                Heard.status(
                        cluster.admin(member, EVENTS),
                        cluster.adminToken(member),
                        "Last-Event-ID",
                        seen);

        if (status == 200) {
            assertThat(listen(cluster, member, later.size(), seen)).isEqualTo(later);
        } else {
            assertThat(status).isEqualTo(410);
        }
    }

    private static List<Heard> listen(
            CepheusProcesses cluster, int member, int count, String lastId) {
        return Heard.listen(
                cluster.admin(member, EVENTS),
                cluster.adminToken(member),
                count,
                "Last-Event-ID",
                lastId);
    }

    /** As much as a listener may take for seen: what comes after the last id comes again. */
    private static List<Heard> upToAnId(List<Heard> heard) {
        int end = heard.size();
        while (heard.get(end - 1).id().isEmpty()) {
            end--;
        }
        return heard.subList(0, end);
    }

    private static List<String> paths(List<Heard> heard) {
        return heard.stream().map(each -> each.data().path("path").asString()).toList();
    }

    private static List<String> ids(List<Heard> heard) {
        return heard.stream().map(Heard::id).flatMap(Optional::stream).toList();
    }

    // A leader that was just elected says 503 for a moment.
    private static boolean takesOrders(CepheusProcesses cluster) {
        int leader = cluster.leader();
        return leader >= 0
                && cluster.ask(leader, "POST", "namespace/directories", "{\"path\":\"/new\"}")
                                .statusCode()
                        < 500;
    }

    private static void make(CepheusProcesses cluster, int leader, String path) {
        var answer =
                cluster.ask(
                        leader,
                        "POST",
                        "namespace/directories",
                        "{\"path\":\"%s\"}".formatted(path));
        assertThat(answer.statusCode()).as(answer::body).isEqualTo(204);
    }

    /** At once, so that some of them share an entry of the log. */
    private static void makeMany(CepheusProcesses cluster, int leader, int from, int count)
            throws Exception {
        var results = new ArrayList<Future<Integer>>();
        try (var client = HttpClient.newHttpClient();
                var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = from; i < from + count; i++) {
                var request =
                        HttpRequest.newBuilder(URI.create(cluster.http(leader, "/heard/" + i)))
                                .method("MKCOL", BodyPublishers.noBody())
                                .build();
                results.add(
                        threads.submit(() ->
                                client.send(request, BodyHandlers.discarding()).statusCode()));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isEqualTo(201);
            }
        }
    }
}
