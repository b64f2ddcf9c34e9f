package org.cepheus.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit log has one line for each refusal, and one for what the system did by itself. */
class AuditLogIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final Pattern TRACE = Pattern.compile("(?i)X-Trace-Id: ([0-9a-f]{16})");
    private static final String ME = System.getProperty("user.name");
    private static final int MIB = 1 << 20;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void anUploadThatTheSystemEndsHasOneLineEvenIfTheLogIsReplayed() {
        Running givenUp = startSlowUpload("/given-up");
        givenUp.kill();
        JsonNode abort = await("/given-up", "happened");

        assertThat(abort.path("operation").asString()).isEqualTo("abort");
        assertThat(abort.path("user").asString()).isEqualTo("system");
        assertThat(abort.path("owner").asString()).isEqualTo(ME);
        assertThat(abort.path("detail").asString()).contains("connection");
        assertThat(abort.path("trace")).isEqualTo(await("/given-up", "allowed").path("trace"));

        Running restarted = startSlowUpload("/restarted");
        UP.get().kill();
        restarted.kill();
        UP.get().restart();

        assertThat(await("/restarted", "happened").path("detail").asString())
                .isEqualTo("the FST was restarted");
        awaitEverythingSoFar("/after-restart");
        assertThat(lines("/given-up", "happened")).hasSize(1);
        assertThat(lines("/restarted", "happened")).hasSize(1);
    }

    @Test
    void everyRefusalHasOneLineWithItsCodeItsObjectWhoItWasAndItsTrace() {
        Sample sample = Sample.write(directory.resolve("sample"), 5_000, 1);
        Client.named("xrdfs").run(UP.get().server(), "mkdir", "/full").succeeded();
        UP.get().cli("quota", "set", "/full", "--bytes", "1KiB").succeeded();
        curl("-T", sample.file(), UP.get().http("/updated"));

        Run token = curl(UP.get().admin("/api/v1/status"));
        Run ticket = curl(UP.get().door("/updated?cph.tkt=1.r.forged"));
        Run quota = curl("-T", sample.file(), UP.get().http("/full/file"));
        Run missing = curl("-X", "DELETE", UP.get().http("/missing"));
        Run locked;
        try (RawXrootd writer =
                RawXrootd.open(UP.get().portBase(), "/updated", XrootdRequest.Open.UPDATE)) {
            locked =
                    curl(
                            "-X",
                            "MOVE",
                            "-H",
                            "Destination: " + UP.get().http("/moved"),
                            UP.get().http("/updated"));
            writer.closeFile();
        }

        awaitEverythingSoFar("/after-refusals");
        assertRefused(token, 401, "PermissionDenied", "GET", "/api/v1/status", "nobody");
        assertRefused(ticket, 403, "TicketInvalid", "GET", "/updated", ME);
        assertRefused(quota, 507, "QuotaExceeded", "PUT", "/full/file", ME);
        assertRefused(missing, 404, "NotFound", "DELETE", "/missing", ME);
        assertRefused(locked, 423, "FileLocked", "MOVE", "/updated", ME);
    }

    private static void assertRefused(
            Run run, int status, String code, String operation, String object, String user) {
        assertThat(last(STATUS, run)).as(run::toString).isEqualTo(Integer.toString(status));
        String trace = last(TRACE, run);
        assertThat(all().stream().filter(line -> line.path("trace").asString().equals(trace)))
                .as(run::toString)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.path("result").asString()).isEqualTo("refused");
                    assertThat(line.path("code").asString()).isEqualTo(code);
                    assertThat(line.path("operation").asString()).isEqualTo(operation);
                    assertThat(line.path("object").asString()).isEqualTo(object);
                    assertThat(line.path("user").asString()).isEqualTo(user);
                    assertThat(line.path("address").asString()).isEqualTo("127.0.0.1");
                    assertThat(line.path("detail").asString()).isNotBlank();
                });
    }

    private static Run curl(Object... arguments) {
        var all = new Object[arguments.length + 3];
        all[0] = "-sS";
        all[1] = "-i";
        all[2] = "-L";
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return Client.named("curl").run(all);
    }

    private Running startSlowUpload(String path) {
        Sample sample = Sample.write(directory.resolve("large"), 100 * MIB, 1);
        Running curl =
                Client.named("curl")
                        .start(
                                "-sS",
                                "-L",
                                "--limit-rate",
                                "4m",
                                "-T",
                                sample.file(),
                                UP.get().http(path));
        Deadline.await(
                "bytes of %s have arrived".formatted(path),
                SOON,
                () ->
                        UP.get().transfers().stream()
                                        .anyMatch(each -> each.path("path").asString().equals(path))
                                && UP.get().dataFiles().stream()
                                        .anyMatch(file -> file.toFile().length() > MIB));
        return curl;
    }

    /** Lines are written in the order in which they are told. */
    private static void awaitEverythingSoFar(String marker) {
        Client.named("xrdfs").run(UP.get().server(), "mkdir", marker).succeeded();
        await(marker, "allowed");
    }

    private static JsonNode await(String object, String result) {
        Deadline.await(
                "a line '%s' about %s".formatted(result, object),
                SOON,
                () -> !lines(object, result).isEmpty());
        return lines(object, result).getFirst();
    }

    private static List<JsonNode> lines(String object, String result) {
        return all().stream()
                .filter(line -> line.path("object").asString().equals(object))
                .filter(line -> line.path("result").asString().equals(result))
                .toList();
    }

    /** All that are whole: the last may be on its way. */
    private static List<JsonNode> all() {
        try {
            String text = Files.readString(UP.get().data().resolve("audit.jsonl"));
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(JsonMapper.shared()::readTree)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String last(Pattern pattern, Run run) {
        return pattern.matcher(run.output())
                .results()
                .reduce((_, b) -> b)
                .orElseThrow(() -> new AssertionError("nothing of " + pattern + " in " + run))
                .group(1);
    }
}
