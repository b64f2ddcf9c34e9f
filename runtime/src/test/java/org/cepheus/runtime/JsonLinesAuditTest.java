package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.Audit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

final class JsonLinesAuditTest {
    private static final Caller ANNA =
            new Caller(
                    new Identity("anna", List.of("users"), false), "127.0.0.1", new TraceId(0xab));
    private static final InstantSource NOON =
            InstantSource.fixed(Instant.parse("2026-11-20T12:00:00.000000Z"));

    @TempDir Path directory;

    @Test
    void writesOneLineForEachDecision() throws Exception {
        Path file = directory.resolve("audit.jsonl");

        try (var audit = JsonLinesAudit.open(file, JsonLinesAudit.Limits.DEFAULT, NOON)) {
            audit.allowed(ANNA, "open", "/a \"quoted\" name");
            audit.refused(ANNA, "remove", "/b", new FsError.PermissionDenied("not yours"));
        }

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"time\":\"2026-11-20T12:00:00.000000Z\",\"result\":\"allowed\",\"operation\":\"open\",\"object\":\"/a \\\"quoted\\\" name\",\"user\":\"anna\",\"address\":\"127.0.0.1\",\"trace\":\"00000000000000ab\"}",
                        "{\"time\":\"2026-11-20T12:00:00.000000Z\",\"result\":\"refused\",\"operation\":\"remove\",\"object\":\"/b\",\"user\":\"anna\",\"address\":\"127.0.0.1\",\"trace\":\"00000000000000ab\",\"code\":\"PermissionDenied\",\"detail\":\"not yours\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void writesWhatTheSystemDidAndWhoseItWas() throws Exception {
        Path file = directory.resolve("audit.jsonl");

        try (var audit = JsonLinesAudit.open(file, JsonLinesAudit.Limits.DEFAULT, NOON)) {
            audit.happened(List.of("/a"), JsonLinesAuditTest::abort);
        }

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"time\":\"2026-11-20T12:00:00.000000Z\",\"result\":\"happened\",\"operation\":\"abort\",\"object\":\"/a\",\"user\":\"system\",\"address\":\"-\",\"trace\":\"00000000000000ab\",\"owner\":\"anna\",\"detail\":\"its time was over\"}");
    }

    @Test
    void takesAsManyLinesAsOneCommandMakesAndRotatesBetweenThem() throws Exception {
        Path file = directory.resolve("audit.jsonl");
        var limits = new JsonLinesAudit.Limits(1, 10_000, 100);
        int uploads = 20_000;

        try (var audit = JsonLinesAudit.open(file, limits, NOON)) {
            audit.happened(
                    IntStream.range(0, uploads).mapToObj(i -> "/upload" + i).toList(),
                    JsonLinesAuditTest::abort);
        }

        assertThat(names()).hasSizeBetween(15, 25);
        long lines = 0;
        for (String name : names()) {
            assertThat(Files.size(directory.resolve(name))).isLessThan(400_000);
            lines += Files.readAllLines(directory.resolve(name)).size();
        }
        assertThat(lines).isEqualTo(uploads);
    }

    @Test
    void losesOnlyTheLineThatCannotBeFoundOut() throws Exception {
        Path file = directory.resolve("audit.jsonl");

        try (var audit = JsonLinesAudit.open(file, JsonLinesAudit.Limits.DEFAULT, NOON)) {
            audit.happened(
                    List.of("/closed", "/open"),
                    path -> {
                        if (path.equals("/closed")) {
                            throw new IllegalStateException("the store is closed");
                        }
                        return abort(path);
                    });
            audit.allowed(ANNA, "open", "/later");
        }

        assertThat(Files.readAllLines(file))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("\"/open\""),
                        line -> assertThat(line).contains("\"/later\""),
                        line -> assertThat(line).contains("\"dropped\":1"));
    }

    private static Audit.Deed abort(String path) {
        return new Audit.Deed(ANNA.trace(), "abort", path, "anna", "its time was over");
    }

    @Test
    void appendsToTheLinesOfTheRunBefore() throws Exception {
        Path file = directory.resolve("audit.jsonl");
        for (int run = 0; run < 2; run++) {
            try (var audit = JsonLinesAudit.open(file, JsonLinesAudit.Limits.DEFAULT, NOON)) {
                audit.allowed(ANNA, "open", "/run" + run);
            }
        }

        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    @Test
    void keepsABoundedNumberOfFilesOfBoundedSize() throws Exception {
        Path file = directory.resolve("audit.jsonl");
        var limits = new JsonLinesAudit.Limits(100, 200, 2);

        for (int run = 0; run < 20; run++) {
            try (var audit = JsonLinesAudit.open(file, limits, NOON)) {
                audit.allowed(ANNA, "open", "/run" + run);
                audit.allowed(ANNA, "close", "/run" + run);
            }
        }

        assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2");
        assertThat(Files.readString(file)).contains("/run19");
        assertThat(Files.readString(directory.resolve("audit.jsonl.1"))).contains("/run18");
    }

    @Test
    void countsAndTellsWhatItDroppedInsteadOfWaiting() throws Exception {
        Path file = directory.resolve("audit.jsonl");
        int offered = 20_000;
        long dropped;

        try (var audit =
                JsonLinesAudit.open(file, new JsonLinesAudit.Limits(1, 1 << 30, 1), NOON)) {
            for (int i = 0; i < offered; i++) {
                audit.allowed(ANNA, "open", "/file");
            }
            dropped = audit.dropped();
        }

        assertThat(dropped).isPositive();
        assertThat(linesWritten(file) + dropped).isEqualTo(offered);
        assertThat(droppedToldOf(file)).isEqualTo(dropped);
    }

    private static long linesWritten(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.contains("\"allowed\"")).count();
        }
    }

    private static long droppedToldOf(Path file) throws IOException {
        var json = new JsonMapper();
        try (var lines = Files.lines(file)) {
            return lines.mapToLong(line -> json.readTree(line).path("dropped").asLong(0)).sum();
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
