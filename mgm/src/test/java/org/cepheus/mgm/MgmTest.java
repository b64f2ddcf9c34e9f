package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cepheus.mgm.Site.ALICE;
import static org.cepheus.mgm.Site.await;
import static org.cepheus.mgm.Site.get;
import static org.cepheus.mgm.Site.upload;
import static org.cepheus.mgm.Site.writing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.AccessPolicy;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.mgm.Site.Fst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One MGM alone, with FSTs that have no data. */
final class MgmTest {
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

    private static void ready(Mgm mgm, Fst... fsts) {
        await(mgm::isLeading, "it leads");
        for (Fst fst : fsts) {
            await(() -> mgm.hasFst(fst.id), "FST %d is there".formatted(fst.id));
        }
    }

    private static FsError failure(CompletionStage<?> stage) {
        try {
            get(stage);
            throw new AssertionError("it did not fail");
        } catch (Exception e) {
            return FsException.errorOf(e);
        }
    }

    @Test
    void grantsCommitsReadsAndCleansUp() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);
            FsPath path = FsPath.parse("/a/file");
            assertThat(upload(mgm.namespace(), fst, "/a/file", 5).sizeBytes()).isEqualTo(5);

            assertThat(get(mgm.namespace().stat(ALICE, path)).owner()).isEqualTo("alice");
            assertThat(get(mgm.namespace().list(ALICE, path.parent(), "", 10)).entries())
                    .hasSize(1);
            Ticket ticket = fst.open(get(mgm.namespace().open(ALICE, OpenRequest.reading(path))));
            assertThat(ticket.isForWriting()).isFalse();
            assertThat(ticket.sizeBytes()).isEqualTo(5);
            assertThat(get(mgm.namespace().space(ALICE, path)).freeBytes()).isEqualTo(500L << 20);
            assertThat(mgm.operators().status().files()).isEqualTo(1);

            get(mgm.namespace().change(ALICE, new Mutation.RemoveFile(path)));

            assertThat(failure(mgm.namespace().stat(ALICE, path)))
                    .isInstanceOf(FsError.NotFound.class);
            await(() -> fst.deleted.contains(ticket.location().dataId()), "the data is deleted");
        }
    }

    @Test
    void whatThePolicyRefusesNobodyDoes() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);
            upload(mgm.namespace(), fst, "/closed/file", 5);
            FsPath closed = FsPath.parse("/closed");
            FsPath file = closed.child("file");
            FsPath open = FsPath.parse("/open");
            List<AccessPolicy.Want> asked = new CopyOnWriteArrayList<>();
            site.policy =
                    (_, want, path) -> {
                        asked.add(want);
                        return path.value().startsWith("/closed")
                                ? Optional.of(new FsError.PermissionDenied("closed for " + want))
                                : Optional.empty();
                    };

            List<CompletionStage<?>> refused =
                    List.of(
                            mgm.namespace().stat(ALICE, file),
                            mgm.namespace().list(ALICE, closed, "", 10),
                            mgm.namespace().attributes(ALICE, file),
                            mgm.namespace().open(ALICE, OpenRequest.reading(file)),
                            mgm.namespace().open(ALICE, writing("/closed/new", 5)),
                            mgm.namespace().change(ALICE, new Mutation.RemoveFile(file)),
                            mgm.namespace().change(ALICE, new Mutation.SetMode(file, 0600)),
                            mgm.namespace().change(ALICE, new Mutation.Rename(open, closed, false)),
                            mgm.namespace().change(ALICE, new Mutation.Rename(file, open, false)));

            for (CompletionStage<?> each : refused) {
                assertThat(failure(each).message()).startsWith("closed for ");
            }
            assertThat(asked).contains(AccessPolicy.Want.values());
            site.policy = AccessPolicy.POSIX_ONLY;
            assertThat(get(mgm.namespace().stat(ALICE, file)).sizeBytes()).isEqualTo(5);
        }
    }

    @Test
    void aRunningUploadIsListedAndItsNameIsNotThere() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);

            get(mgm.namespace().open(ALICE, writing("/f", 77)));

            assertThat(failure(mgm.namespace().stat(ALICE, FsPath.parse("/f"))))
                    .isInstanceOf(FsError.NotFound.class);
            var operator = org.cepheus.domain.Caller.SYSTEM;
            var transfers = get(mgm.operators().transfers(operator, 10));
            assertThat(transfers).hasSize(1);
            assertThat(transfers.getFirst().path()).isEqualTo(FsPath.parse("/f"));
            assertThat(transfers.getFirst().reservedBytes()).isEqualTo(77);
            assertThat(failure(mgm.operators().transfers(ALICE, 10)))
                    .isInstanceOf(FsError.PermissionDenied.class);
        }
    }

    @Test
    void asksTheFstForTheSizeOfAFileWhoseWriterWasLost() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);
            FsPath path = FsPath.parse("/f");
            upload(mgm.namespace(), fst, "/f", 5);
            var update =
                    OpenRequest.writing(
                            path, LeaseCommand.Intent.UPDATE, 0644, OptionalLong.empty());
            Ticket ticket = fst.open(get(mgm.namespace().open(ALICE, update)));

            get(fst.client.abort(ALICE, ticket.lease().orElseThrow(), "the client went away"));

            await(() -> mgm.operators().status().usedBytes() == 99, "the FST was asked");
            assertThat(get(mgm.namespace().stat(ALICE, path)).underUpdate()).isFalse();
            assertThat(get(mgm.namespace().stat(ALICE, path)).sizeBytes()).isEqualTo(99);
            get(mgm.namespace().open(ALICE, update));
            assertThat(site.deeds)
                    .containsExactly(
                            "mgm0: abort /f of alice, trace 0000000000000007: the client went away",
                            "mgm0: settle /f of alice, trace 0000000000000000: its last writer was lost: it is now what its storage says");
        }
    }

    @Test
    void hasEverythingAgainAfterAStop() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);
            upload(mgm.namespace(), fst, "/f", 5);
        }

        try (Mgm mgm = site.start(0)) {
            ready(mgm);
            assertThat(get(mgm.namespace().stat(ALICE, FsPath.parse("/f"))).sizeBytes())
                    .isEqualTo(5);
            // Now it is in memory, and nobody waits for anything.
            assertThat(mgm.namespace().stat(ALICE, FsPath.parse("/f")).toCompletableFuture())
                    .isCompleted();
        }
    }

    @Test
    void hasEverythingAcknowledgedAgainAfterAKill() throws Exception {
        Path image = directory.resolve("image");
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            ready(mgm, fst);
            for (int i = 0; i < 20; i++) {
                upload(mgm.namespace(), fst, "/f" + i, i);
            }
            copy(directory.resolve("site"), image);
        }

        try (var killed = new Site(image, 1);
                Mgm mgm = killed.start(0)) {
            ready(mgm);
            for (int i = 0; i < 20; i++) {
                assertThat(get(mgm.namespace().stat(ALICE, FsPath.parse("/f" + i))).sizeBytes())
                        .isEqualTo(i);
            }
            assertThat(mgm.operators().status().files()).isEqualTo(20);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!List.of("LOCK", "in_use.lock").contains(file.getFileName() + "")) {
                    Files.copy(file, target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    @Test
    void sendsNobodyToAnFstThatLeft() throws Exception {
        try (Mgm mgm = site.start(0)) {
            try (Fst fst = site.fst(1)) {
                ready(mgm, fst);
                upload(mgm.namespace(), fst, "/f", 5);
            }
            await(() -> !mgm.hasFst(1), "the FST is gone");

            assertThat(failure(mgm.namespace().open(ALICE, writing("/g", 5))))
                    .isInstanceOf(FsError.Unavailable.class);
            assertThat(
                            failure(
                                    mgm.namespace()
                                            .open(ALICE, OpenRequest.reading(FsPath.parse("/f")))))
                    .isInstanceOf(FsError.Unavailable.class);
        }
    }

    @Test
    void refusesChangesButReadsOnAFullDisk() throws Exception {
        site.leastFreeBytes = Long.MAX_VALUE;
        try (Mgm mgm = site.start(0)) {
            ready(mgm);

            var mutation = new Mutation.MakeDirectory(FsPath.parse("/d"), 0755, false);

            assertThat(failure(mgm.namespace().change(ALICE, mutation)))
                    .isInstanceOf(FsError.NoSpace.class);
            assertThat(get(mgm.namespace().stat(ALICE, FsPath.ROOT)).isDirectory()).isTrue();
        }
    }

    @Test
    void refusesASecondProcessAndForeignDirectories() throws Exception {
        Mgm mgm = site.start(0);
        try (mgm) {
            assertThatThrownBy(() -> site.start(0))
                    .isInstanceOf(FsException.class)
                    .hasMessageContaining("in use by another MGM process");
        }
        Path home = site.config(0).data();
        Files.move(home, directory.resolve("elsewhere"));
        Files.createDirectories(home);
        Files.writeString(home.resolve("thesis.tex"), "...");

        assertThatThrownBy(() -> site.start(0))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("thesis.tex");
        assertThat(home.resolve("thesis.tex")).exists();
    }

    @Test
    void refusesTheDataOfAnotherCluster() throws Exception {
        site.start(0).close();
        Path label = site.config(0).data().resolve("cepheus-mgm");
        Files.writeString(
                label,
                Files.readString(label)
                        .replace(Site.CLUSTER.toString(), new java.util.UUID(9, 9) + ""));

        assertThatThrownBy(() -> site.start(0))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("belongs to cluster");
    }
}
