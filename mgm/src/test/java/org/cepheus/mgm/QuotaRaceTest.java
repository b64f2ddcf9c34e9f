package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.mgm.Site.ALICE;
import static org.cepheus.mgm.Site.await;
import static org.cepheus.mgm.Site.get;
import static org.cepheus.mgm.Site.upload;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.QuotaCheck;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import org.cepheus.mgm.Site.Fst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas under many writers, and over much content, with one MGM alone. */
final class QuotaRaceTest {
    private static final FsPath DATA = FsPath.parse("/data");
    private static final int WRITERS = 64;
    private static final long MIB = 1L << 20;
    private static final long PIECE = MIB / 16;

    @TempDir private Path directory;

    private Site site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new Site(directory.resolve("site"), 1);
    }

    @AfterEach
    void closeSite() throws Exception {
        site.close();
    }

    private static void limit(Mgm mgm, FsPath path, long bytes) throws Exception {
        get(
                mgm.namespace()
                        .change(
                                Caller.SYSTEM,
                                new Mutation.SetQuota(
                                        path,
                                        QuotaKind.PROJECT,
                                        "",
                                        OptionalLong.of(bytes),
                                        OptionalLong.empty())));
    }

    private static QuotaReport project(Mgm mgm, FsPath path) throws Exception {
        return get(mgm.operators().quotas(Caller.SYSTEM)).stream()
                .filter(row -> row.node().equals(path) && row.kind() == QuotaKind.PROJECT)
                .findFirst()
                .orElseThrow();
    }

    private static QuotaCheck check(Mgm mgm) throws Exception {
        get(mgm.operators().startQuotaCheck(Caller.SYSTEM, Duration.ofMinutes(1)));
        await(() -> latest(mgm).state() != QuotaCheck.State.RUNNING, "the recount ended");
        return latest(mgm);
    }

    private static QuotaCheck latest(Mgm mgm) {
        try {
            return get(mgm.operators().quotaCheck(Caller.SYSTEM)).orElseThrow();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sixtyFourWritersNeverPassTheLimitAndEachRefusedReadsWhy() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1);
                var threads = Executors.newFixedThreadPool(WRITERS)) {
            await(mgm::isLeading, "it leads");
            await(() -> mgm.hasFst(fst.id), "the FST is there");
            upload(mgm.namespace(), fst, "/data/first", 3 * MIB);
            limit(mgm, DATA, 4 * MIB);
            var start = new CountDownLatch(1);
            var writers = new ArrayList<Future<FsError>>();
            for (int i = 0; i < WRITERS; i++) {
                String path = "/data/file" + i;
                writers.add(
                        threads.submit(() -> {
                            start.await();
                            return write(mgm, fst, path);
                        }));
            }

            start.countDown();
            var refusals = new ArrayList<FsError>();
            for (Future<FsError> writer : writers) {
                refusals.add(writer.get());
            }

            refusals.removeIf(
                    error -> error instanceof FsError.Internal(String text) && text.isEmpty());
            assertThat(refusals).hasSize(WRITERS - 16);
            assertThat(refusals).allSatisfy(QuotaRaceTest::explains);
            QuotaReport row = project(mgm, DATA);
            assertThat(row.usedBytes()).isEqualTo(4 * MIB);
            assertThat(row.reservedBytes()).isZero();
            assertThat(row.level()).isEqualTo(QuotaReport.Level.EXCEEDED);
            assertThat(check(mgm).state()).isEqualTo(QuotaCheck.State.EQUAL);
        }
    }

    // An empty Internal stands for none.
    private static FsError write(Mgm mgm, Fst fst, String path) {
        try {
            upload(mgm.namespace(), fst, path, PIECE);
            return new FsError.Internal("");
        } catch (ExecutionException | FsException e) {
            return FsException.errorOf(e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void explains(FsError error) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        FsError.QuotaExceeded.class,
                        over -> {
                            assertThat(over.node()).isEqualTo(DATA);
                            assertThat(over.limit()).isEqualTo(4 * MIB);
                            assertThat(over.wanted()).isEqualTo(PIECE);
                            assertThat(over.used() + over.reserved())
                                    .isBetween(4 * MIB - PIECE + 1, 4 * MIB);
                            assertThat(over.message())
                                    .contains(
                                            "limit %d bytes, used %d, reserved by running uploads %d"
                                                    .formatted(
                                                            over.limit(),
                                                            over.used(),
                                                            over.reserved()));
                        });
    }

    @Test
    void aNodeOverMuchContentIsCountedWhileOthersWork() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            await(mgm::isLeading, "it leads");
            await(() -> mgm.hasFst(fst.id), "the FST is there");
            upload(mgm.namespace(), fst, "/data/file", MIB);
            fill(mgm, 1_500);

            limit(mgm, DATA, 2 * MIB);
            assertThat(project(mgm, DATA).limitBytes()).hasValue(2 * MIB);
            upload(mgm.namespace(), fst, "/data/later", MIB);

            await(() -> counts(mgm), "the node counts");
            assertThat(project(mgm, DATA).usedBytes()).isEqualTo(2 * MIB);
            assertThat(write(mgm, fst, "/data/more")).isInstanceOf(FsError.QuotaExceeded.class);
            QuotaCheck check = check(mgm);
            assertThat(check.state()).isEqualTo(QuotaCheck.State.EQUAL);
            assertThat(check.seenEntries()).isEqualTo(check.expectedEntries());
            assertThat(check.nodes()).isEqualTo(2);
        }
    }

    @Test
    void aCountGoesOnAfterARestart() throws Exception {
        try (Mgm mgm = site.start(0)) {
            await(mgm::isLeading, "it leads");
            fill(mgm, 1_500);
            limit(mgm, DATA, MIB);
        }

        try (Mgm mgm = site.start(0)) {
            await(mgm::isLeading, "it leads");
            await(() -> counts(mgm), "the node counts");
            assertThat(check(mgm).state()).isEqualTo(QuotaCheck.State.EQUAL);
        }
    }

    private static boolean counts(Mgm mgm) {
        try {
            return project(mgm, DATA).state() instanceof NodeState.Active;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void fill(Mgm mgm, int directories) throws Exception {
        List<CompletionStage<Void>> made = new ArrayList<>();
        get(mgm.namespace().change(ALICE, new Mutation.MakeDirectory(DATA, 0755, true)));
        for (int i = 0; i < directories; i++) {
            made.add(
                    mgm.namespace()
                            .change(
                                    ALICE,
                                    new Mutation.MakeDirectory(DATA.child("d" + i), 0755, false)));
        }
        for (var each : made) {
            get(each);
        }
    }
}
