package org.cepheus.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One event of a stream of Server-Sent Events.
 *
 * @param id what a listener that comes back says it has seen; only some events have one
 */
public record Heard(String type, Optional<String> id, JsonNode data) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Listens until so many events after the greeting have come, and hangs up.
     *
     * @param headers names and values in turn
     */
    public static List<Heard> listen(URI uri, String token, int count, String... headers) {
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request(uri, token, headers), BodyHandlers.ofInputStream());
            // Ends a read that waits for what does not come.
            CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .execute(http::shutdownNow);
            try (var lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
                if (answer.statusCode() != 200) {
                    throw new AssertionError(
                            "%d from %s: %s"
                                    .formatted(answer.statusCode(), uri, lines.lines().toList()));
                }
                return read(lines, count);
            } finally {
                http.shutdownNow();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The status that a listener gets, whatever it would hear. */
    public static int status(URI uri, String token, String... headers) {
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request(uri, token, headers), BodyHandlers.ofInputStream());
            answer.body().close();
            http.shutdownNow();
            return answer.statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static HttpRequest request(URI uri, String token, String... headers) {
        var request =
                HttpRequest.newBuilder(uri)
                        .timeout(LIMIT)
                        .header("Authorization", "Bearer " + token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private static List<Heard> read(BufferedReader lines, int count) throws IOException {
        var events = new ArrayList<Heard>();
        String type = "";
        Optional<String> id = Optional.empty();
        while (events.size() < count) {
            String line = lines.readLine();
            if (line == null) {
                throw new AssertionError("the stream ended after " + events);
            }
            if (line.startsWith("event: ")) {
                type = line.substring(7);
                id = Optional.empty();
            } else if (line.startsWith("id: ")) {
                id = Optional.of(line.substring(4));
            } else if (line.startsWith("data: ") && !type.equals("hello")) {
                events.add(new Heard(type, id, JsonMapper.shared().readTree(line.substring(6))));
            }
        }
        return events;
    }
}
