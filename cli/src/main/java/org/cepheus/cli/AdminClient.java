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
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the REST API of a cluster, following a member to the leader, and turns refusals into ends.
 */
final class AdminClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final long MAX_ANSWER_BYTES = 64L << 20;
    private static final int MAX_REDIRECTS = 3;
    private static final int MAX_PROBLEM_LINES = 1_000;

    /** More rows than a person or this process's memory can take. */
    private static final int MAX_ROWS = 200_000;

    private final List<URI> servers;
    private final String token;
    private final JsonMapper json = new JsonMapper();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .build();

    /**
     * Connects nowhere yet.
     *
     * @param servers members of one cluster: the first that answers is asked
     */
    AdminClient(List<URI> servers, String token) {
        this.servers = List.copyOf(servers);
        this.token = token;
    }

    /** Text for the value of a query parameter. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String target) {
        return send("GET", target, BodyPublishers.noBody());
    }

    /** A document that also comes with 503, because it says itself what is wrong. */
    JsonNode report(String target) {
        HttpResponse<String> answer = ask("GET", target, BodyPublishers.noBody());
        JsonNode document = parse(answer, answer.body());
        return answer.statusCode() == 503 && document.has("checks") ? document : document(answer);
    }

    /** The lines of an answer that has no end, such as of events; the caller closes them. */
    Stream<String> lines(String target) {
        HttpResponse<Stream<String>> answer =
                ask("GET", target, BodyPublishers.noBody(), BodyHandlers.ofLines());
        if (isSuccess(answer)) {
            return answer.body();
        }
        try (Stream<String> lines = answer.body()) {
            String body = lines.limit(MAX_PROBLEM_LINES).collect(Collectors.joining("\n"));
            throw refusal(answer, parse(answer, body));
        }
    }

    /**
     * All pages of a listing as one answer; {@code member} is the list in it.
     *
     * @param target with its query, if it has one
     */
    JsonNode all(String target, String member) {
        JsonNode first = get(target);
        Optional<String> next = first.path("next").asStringOpt();
        if (!(first instanceof ObjectNode whole) || next.isEmpty()) {
            return first;
        }
        ArrayNode rows = whole.withArray(member);
        while (next.isPresent() && rows.size() < MAX_ROWS) {
            char more = target.contains("?") ? '&' : '?';
            JsonNode page = get(target + more + "after=" + encoded(next.get()));
            page.path(member).forEach(rows::add);
            next = page.path("next").asStringOpt();
        }
        whole.remove("next");
        return whole;
    }

    JsonNode put(String target, JsonNode body) {
        return send("PUT", target, BodyPublishers.ofString(body.toString()));
    }

    JsonNode post(String target, JsonNode body) {
        return send("POST", target, BodyPublishers.ofString(body.toString()));
    }

    /** Without a body. */
    JsonNode post(String target) {
        return send("POST", target, BodyPublishers.noBody());
    }

    JsonNode patch(String target, JsonNode body) {
        return send("PATCH", target, BodyPublishers.ofString(body.toString()));
    }

    JsonNode delete(String target) {
        return send("DELETE", target, BodyPublishers.noBody());
    }

    private JsonNode send(String method, String target, BodyPublisher body) {
        return document(ask(method, target, body));
    }

    private HttpResponse<String> ask(String method, String target, BodyPublisher body) {
        return ask(
                method,
                target,
                body,
                BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES));
    }

    private <T> HttpResponse<T> ask(
            String method, String target, BodyPublisher body, BodyHandler<T> reader) {
        for (URI server : servers) {
            Optional<HttpResponse<T>> answer =
                    exchange(method, resolve(server, target), body, reader);
            if (answer.isPresent()) {
                return follow(method, body, reader, answer.get());
            }
        }
        throw nobodyAnswers(servers);
    }

    private <T> HttpResponse<T> follow(
            String method, BodyPublisher body, BodyHandler<T> reader, HttpResponse<T> first) {
        HttpResponse<T> answer = first;
        for (int redirects = 0; answer.statusCode() == 307; redirects++) {
            if (redirects == MAX_REDIRECTS) {
                throw new CommandFailure(
                        ExitCode.UNAVAILABLE,
                        "the members name each other as the leader; try again");
            }
            String location = answer.headers().firstValue("Location").orElse("");
            URI at = resolve(answer.uri(), location);
            answer =
                    exchange(method, at, body, reader)
                            .orElseThrow(() -> nobodyAnswers(List.of(at)));
        }
        return answer;
    }

    private static CommandFailure nobodyAnswers(List<URI> servers) {
        return new CommandFailure(
                ExitCode.UNAVAILABLE,
                "no server answers at %s; is it running?"
                        .formatted(
                                servers.stream()
                                        .map(URI::toString)
                                        .collect(Collectors.joining(" or "))));
    }

    private static URI resolve(URI server, String target) {
        try {
            return server.resolve(target);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "%s is not an URL of a server".formatted(server));
        }
    }

    /** Empty if nobody listens there, so that nothing has happened. */
    private <T> Optional<HttpResponse<T>> exchange(
            String method, URI at, BodyPublisher body, BodyHandler<T> reader) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(at)
                            .timeout(ANSWER_TIMEOUT)
                            .header("Authorization", "Bearer " + token)
                            .method(method, body)
                            .build();
            return Optional.of(http.send(request, reader));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "cannot ask %s: %s".formatted(at, e.getMessage()));
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "%s did not answer in time; a change may have happened".formatted(at));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "the connection to %s broke: %s; a change may have happened"
                            .formatted(at, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    private JsonNode document(HttpResponse<String> answer) {
        JsonNode document = parse(answer, answer.body());
        if (isSuccess(answer)) {
            return document;
        }
        throw refusal(answer, document);
    }

    private static boolean isSuccess(HttpResponse<?> answer) {
        return answer.statusCode() >= 200 && answer.statusCode() < 300;
    }

    private static CommandFailure refusal(HttpResponse<?> answer, JsonNode document) {
        return new CommandFailure(
                ExitCode.ofStatus(answer.statusCode()),
                document.path("detail").isString()
                        ? sentence(document)
                        : "%s answered %d".formatted(answer.uri(), answer.statusCode()),
                document.path("code").asString(""));
    }

    private static String sentence(JsonNode problem) {
        return Table.printable(
                "%s%n  next: %s (trace %s)"
                        .formatted(
                                problem.path("detail").asString(),
                                problem.path("next").asString("-"),
                                problem.path("trace").asString("-")));
    }

    private JsonNode parse(HttpResponse<?> answer, String body) {
        try {
            return body.isEmpty() ? MissingNode.getInstance() : json.readTree(body);
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
