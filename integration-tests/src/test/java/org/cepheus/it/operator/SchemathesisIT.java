package org.cepheus.it.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.Tree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The OpenAPI document is the contract: a stranger who knows only that tries the whole API. */
class SchemathesisIT {
    /** Twice what it takes on two busy cores. */
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void everyAnswerIsDocumentedAndNoneIsAFailureOfTheServer() throws IOException {
        String token = Files.readString(UP.get().data().resolve("admin.token")).strip();

        Client.python()
                .within(LIMIT)
                .in(directory)
                .run(
                        "-m",
                        "schemathesis.cli",
                        "run",
                        Tree.ROOT.resolve("admin/src/main/resources/openapi.yaml"),
                        "--url",
                        UP.get().admin(""),
                        "--header",
                        "Authorization: Bearer " + token,
                        "--phases",
                        "examples,coverage,fuzzing",
                        "--max-examples",
                        "25",
                        "--generation-deterministic",
                        "--no-shrink",
                        "--continue-on-failure",
                        "--request-timeout",
                        "20",
                        // A value of the right type need not be an existing path.
                        "--exclude-checks",
                        "positive_data_acceptance",
                        // A stream ends only with its listener; EventRoutesTest has it.
                        "--exclude-path",
                        "/api/v1/events",
                        "--warnings",
                        "off",
                        "--no-color")
                .succeeded();
    }
}
