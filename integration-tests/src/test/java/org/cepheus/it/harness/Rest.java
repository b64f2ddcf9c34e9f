package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Asks the admin port with the token of its file. */
final class Rest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private Rest() {}

    /** The answer, or a missing node while nobody answers. */
    static JsonNode tryGet(URI uri, Path tokenFile) {
        try {
            return get(uri, tokenFile);
        } catch (UncheckedIOException _) {
            return MissingNode.getInstance();
        }
    }

    static JsonNode get(URI uri, Path tokenFile) {
        return JsonMapper.shared().readTree(text(uri, tokenFile));
    }

    /** The answer as it came, which is a success. */
    static String text(URI uri, Path tokenFile) {
        HttpResponse<String> response = send("GET", uri, tokenFile, "");
        assertThat(response.statusCode())
                .as(() -> "%s: %s".formatted(uri, response.body()))
                .isEqualTo(200);
        return response.body();
    }

    /** Whatever comes back; {@code headers} are names and values in turn. */
    static HttpResponse<String> send(
            String method, URI uri, Path tokenFile, String body, String... headers) {
        try (var http = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(uri)
                            .timeout(LIMIT)
                            .header(
                                    "Authorization",
                                    "Bearer " + Files.readString(tokenFile).strip())
                            .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
