package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Counts every quota node again, beside what runs, and compares with the counters. */
final class Recount {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Recount() {}

    /** Fails if a counter is wrong; {@code check} is that resource of the REST API. */
    static void isEqual(URI check, Path token) {
        assertThat(Rest.send("POST", check, token, "").statusCode()).isEqualTo(200);
        Deadline.await(
                "the recount has ended", LIMIT, () -> !state(check, token).equals("running"));
        JsonNode found = Rest.get(check, token);
        assertThat(found.path("state").asString()).as(found::toString).isEqualTo("equal");
    }

    private static String state(URI check, Path token) {
        return Rest.get(check, token).path("state").asString();
    }
}
