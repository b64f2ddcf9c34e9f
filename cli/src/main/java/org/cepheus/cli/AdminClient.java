package org.cepheus.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Asks the REST API of one server, following it to the leader, and turns refusals into ends. */
final class AdminClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final long MAX_ANSWER_BYTES = 64L << 20;
    private static final int MAX_REDIRECTS = 3;

    private final URI server;
    private final String token;
    private final JsonMapper json = new JsonMapper();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .build();

    AdminClient(URI server, String token) {
        this.server = server;
        this.token = token;
    }

    /** Text for the value of a query parameter. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String target) {
        return send("GET", target, BodyPublishers.noBody());
    }

    void put(String target, JsonNode body) {
        send("PUT", target, BodyPublishers.ofString(body.toString()));
    }

    void delete(String target) {
        send("DELETE", target, BodyPublishers.noBody());
    }

    private JsonNode send(String method, String target, BodyPublisher body) {
        URI at = resolve(target);
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            HttpResponse<String> answer = exchange(method, at, body);
            if (answer.statusCode() != 307) {
                return document(answer);
            }
            at = at.resolve(answer.headers().firstValue("Location").orElse(""));
        }
        throw new CommandFailure(
                ExitCode.UNAVAILABLE, "the members name each other as the leader; try again");
    }

    private URI resolve(String target) {
        try {
            return server.resolve(target);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "%s is not an URL of a server".formatted(server));
        }
    }

    private HttpResponse<String> exchange(String method, URI at, BodyPublisher body) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(at)
                            .timeout(ANSWER_TIMEOUT)
                            .header("Authorization", "Bearer " + token)
                            .method(method, body)
                            .build();
            return http.send(
                    request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "cannot ask %s: %s".formatted(at, e.getMessage()));
        } catch (ConnectException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "no server answers at %s; is it running?".formatted(server));
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "%s did not answer in time; a change may have happened".formatted(server));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "the connection to %s broke: %s; a change may have happened"
                            .formatted(server, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    private JsonNode document(HttpResponse<String> answer) {
        JsonNode document = parse(answer);
        if (answer.statusCode() >= 200 && answer.statusCode() < 300) {
            return document;
        }
        throw new CommandFailure(
                ExitCode.ofStatus(answer.statusCode()),
                document.path("detail").isString()
                        ? sentence(document)
                        : "%s answered %d".formatted(answer.uri(), answer.statusCode()));
    }

    private static String sentence(JsonNode problem) {
        return Table.printable(
                "%s%n  next: %s (trace %s)"
                        .formatted(
                                problem.path("detail").asString(),
                                problem.path("next").asString("-"),
                                problem.path("trace").asString("-")));
    }

    private JsonNode parse(HttpResponse<String> answer) {
        try {
            return answer.body().isEmpty()
                    ? MissingNode.getInstance()
                    : json.readTree(answer.body());
        } catch (JacksonException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "%s answered %d without JSON: is that an admin port?"
                            .formatted(answer.uri(), answer.statusCode()));
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
