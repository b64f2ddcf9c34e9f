package org.cepheus.it.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Operation;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The OpenAPI document is the contract: a stranger who knows only that tries the whole API. */
class SchemathesisIT {
    /** Twice what it takes on two busy cores. */
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final Pattern STATUS = Pattern.compile("(?m)^ +code: '(\\d{3})'$");

    /** Who may is looked at before everything but an URL that may mean two things. */
    private static final String NOBODY_MAY =
            """
            [checks.positive_data_acceptance]
            expected-statuses = ["401"]
            [checks.negative_data_rejection]
            expected-statuses = ["400", "401"]
            """;

    /** A follower need not understand what it sends on. */
    private static final String SENT_ON =
            """
            [checks.negative_data_rejection]
            expected-statuses = ["307", "400", "401", "404", "405"]
            """;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void everyAnswerIsDocumentedAndNoneIsAFailureOfTheServer() throws IOException {
        String token = Files.readString(UP.get().data().resolve("admin.token")).strip();

        tryAll(
                        UP.get().admin(""),
                        "",
                        "25",
                        "--header",
                        "Authorization: Bearer " + token,
                        // A value of the right type need not be an existing path.
                        "--exclude-checks",
                        "positive_data_acceptance")
                .succeeded();

        // Who lacks the token for a moment is Schemathesis, to see what happens.
        assertThat(statuses()).containsKeys("200", "401").doesNotContainKeys("307", "403");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Authorization: Bearer 0123456789abcdef0123456789abcdef"})
    void withoutTheTokenEverythingIsAnsweredBy401AsDocumented(String header) throws IOException {
        var arguments =
                new ArrayList<>(
                        List.of(
                                // Who may comes before what there is.
                                "--exclude-checks",
                                "unsupported_method",
                                "--exclude-path",
                                "/health",
                                "--exclude-path",
                                "/metrics"));
        if (!header.isEmpty()) {
            arguments.addAll(List.of("--header", header));
        }

        tryAll(UP.get().admin(""), NOBODY_MAY, "5", arguments.toArray()).succeeded();

        assertThat(statuses()).containsKey("401").doesNotContainKeys("200", "204", "307", "404");
    }

    @Test
    void atAFollowerEveryAnswerIsDocumented() throws IOException {
        Path files = Files.createDirectory(directory.resolve("cluster"));
        try (var cluster = CepheusProcesses.start(files, 3)) {
            int follower = (cluster.leader() + 1) % 3;

            tryAll(
                            cluster.admin(follower, ""),
                            SENT_ON,
                            "10",
                            "--header",
                            "Authorization: Bearer " + cluster.adminToken(follower),
                            "--exclude-checks",
                            "positive_data_acceptance",
                            "--max-redirects",
                            "0")
                    .succeeded();

            assertThat(statuses()).containsKeys("200", "307", "400").doesNotContainKey("204");
        }
    }

    private Run tryAll(URI server, String config, String examples, Object... more)
            throws IOException {
        Path file = Files.writeString(directory.resolve("schemathesis.toml"), config);
        var arguments =
                new ArrayList<Object>(
                        List.of(
                                "-m",
                                "schemathesis.cli",
                                "--config-file",
                                file,
                                "run",
                                Operation.CONTRACT,
                                "--url",
                                server,
                                "--phases",
                                "examples,coverage,fuzzing",
                                "--max-examples",
                                examples,
                                "--generation-deterministic",
                                "--no-shrink",
                                "--continue-on-failure",
                                "--request-timeout",
                                "20",
                                // A stream ends only with its listener; EventRoutesTest has it.
                                "--exclude-path",
                                "/api/v1/events",
                                "--report-vcr-path",
                                report(),
                                "--warnings",
                                "off",
                                "--no-color"));
        arguments.addAll(List.of(more));
        return Client.python().within(LIMIT).in(directory).run(arguments.toArray());
    }

    private Path report() {
        return directory.resolve("report.yaml");
    }

    /** How often each status came. */
    private Map<String, Long> statuses() throws IOException {
        return STATUS.matcher(Files.readString(report()))
                .results()
                .collect(
                        Collectors.groupingBy(
                                found -> found.group(1), TreeMap::new, Collectors.counting()));
    }
}
