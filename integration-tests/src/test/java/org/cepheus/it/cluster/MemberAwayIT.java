package org.cepheus.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An MGM process that missed more than the log goes back fetches the state, whatever befalls it.
 */
class MemberAwayIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String KEEPS_LITTLE = "kept_entries = 100";
    private static final String LONG = "x".repeat(200);
    private static final int DIRECTORIES = 4_000;
    private static final int CLIENTS = 8;

    @TempDir Path directory;

    private int made;

    @Test
    void catchesUpAfterALongTimeAndAfterTheLossOfItsDiskAndCanLead() throws Exception {
        try (var cluster = CepheusProcesses.start(directory, 3, KEEPS_LITTLE)) {
            int away = (cluster.leader() + 1) % 3;
            cluster.killMgm(away);
            makeDirectories(cluster);

            cluster.startMgm(away);
            awaitCaughtUp(cluster, away);
            assertThat(cluster.output()).contains("took over the state");

            cluster.killMgm(away);
            deleteTree(cluster.data(away));
            cluster.startMgm(away);
            awaitCaughtUp(cluster, away);

            awaitThatItLeads(cluster, away);
            cluster.recount();
            assertThat(cluster.status(away).path("directories").asInt()).isEqualTo(made + 1);
            Client.named("xrdfs")
                    .run(cluster.root(away, "").replaceAll("/$", ""), "mkdir", "/after")
                    .succeeded();
        }
    }

    @Test
    void startsAgainAfterAKillInTheMiddleOfTheFetch() throws Exception {
        try (var cluster = CepheusProcesses.start(directory, 3, KEEPS_LITTLE)) {
            int away = (cluster.leader() + 1) % 3;
            cluster.killMgm(away);
            makeDirectories(cluster);

            cluster.startMgm(away);
            Path begun = cluster.data(away).resolve("db.incoming");
            Deadline.await("it fetches", LIMIT, () -> Files.exists(begun));
            cluster.killMgm(away);

            cluster.startMgm(away);
            awaitCaughtUp(cluster, away);
            awaitThatItLeads(cluster, away);
            cluster.recount();
            assertThat(cluster.status(away).path("directories").asInt()).isEqualTo(made + 1);
        }
    }

    @Test
    void goesOnAfterAKillBetweenTheRenamesThatExchangeTheStores() throws Exception {
        try (var cluster = CepheusProcesses.start(directory, 3, KEEPS_LITTLE)) {
            int away = (cluster.leader() + 1) % 3;
            cluster.killMgm(away);
            makeDirectories(cluster);

            cluster.startMgm(away);
            killWhenReady(cluster, away);
            makeDirectories(cluster);

            cluster.startMgm(away);
            awaitCaughtUp(cluster, away);
            awaitThatItLeads(cluster, away);
            cluster.recount();
            assertThat(cluster.status(away).path("directories").asInt()).isEqualTo(made + 1);
        }
    }

    // Looks often: the exchange comes soon after the store is ready.
    private static void killWhenReady(CepheusProcesses cluster, int member) {
        Path ready = cluster.data(member).resolve("db.ready");
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(ready)) {
            assertThat(System.nanoTime()).as("it fetches the state").isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
        cluster.killMgm(member);
    }

    private void makeDirectories(CepheusProcesses cluster) throws Exception {
        Deadline.await("one leads", LIMIT, () -> cluster.leader() >= 0);
        int leader = cluster.leader();
        var results = new ArrayList<Future<Integer>>();
        try (var client = HttpClient.newHttpClient();
                var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < DIRECTORIES; i++) {
                var request =
                        HttpRequest.newBuilder(URI.create(cluster.http(leader, "/d" + made + LONG)))
                                .method("MKCOL", BodyPublishers.noBody())
                                .build();
                made++;
                results.add(
                        threads.submit(() ->
                                client.send(request, BodyHandlers.discarding()).statusCode()));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isEqualTo(201);
            }
        }
    }

    private static boolean hasCaughtUp(CepheusProcesses cluster, int member) {
        int leader = cluster.leader();
        return leader >= 0
                && cluster.status(member).path("appliedIndex").asLong(-1)
                        >= cluster.status(leader).path("appliedIndex").asLong();
    }

    private void awaitCaughtUp(CepheusProcesses cluster, int member) {
        try {
            Deadline.await("it has caught up", LIMIT, () -> hasCaughtUp(cluster, member));
        } catch (AssertionError late) {
            throw new AssertionError(cluster.output(), late);
        }
        assertThat(cluster.status(member).path("directories").asInt()).isEqualTo(made + 1);
    }

    // Whoever else leads is killed and started again.
    private static void awaitThatItLeads(CepheusProcesses cluster, int member) throws IOException {
        for (int leader = leader(cluster); leader != member; leader = leader(cluster)) {
            int gone = leader;
            cluster.killMgm(gone);
            Deadline.await(
                    "another leads",
                    LIMIT,
                    () -> cluster.leader() >= 0 && cluster.leader() != gone);
            cluster.startMgm(gone);
            Deadline.await("it is back", LIMIT, () -> hasCaughtUp(cluster, gone));
        }
    }

    private static int leader(CepheusProcesses cluster) {
        Deadline.await("one leads", LIMIT, () -> cluster.leader() >= 0);
        return cluster.leader();
    }

    private static void deleteTree(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
