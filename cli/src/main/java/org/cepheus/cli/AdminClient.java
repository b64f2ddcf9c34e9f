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
import java.util.UUID;
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
 * What changes something has an Idempotency-Key of its own: when the answer is lost it is asked
 * again, and yet done once.
 */
final class AdminClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final long MAX_ANSWER_BYTES = 64L << 20;
    private static final int MAX_REDIRECTS = 3;
    private static final int MAX_LOST_ANSWERS = 2;
    private static final int MAX_PROBLEM_LINES = 1_000;

    /** More rows than a person or this process's memory can take. */
    private static final int MAX_ROWS = 200_000;

    /**
     * A request, wherever it is sent.
     *
     * @param key what makes it one request, however often it is sent
     */
    private record Question<T>(
            String method, BodyPublisher body, Optional<String> key, BodyHandler<T> reader) {}

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
        return unkeyed("GET", target);
    }

    /** A document that also comes with 503, because it says itself what is wrong. */
    JsonNode report(String target) {
        HttpResponse<String> answer = ask("GET", target, BodyPublishers.noBody(), Optional.empty());
        JsonNode document = parse(answer, answer.body());
        return answer.statusCode() == 503 && document.has("checks") ? document : document(answer);
    }

    /** The lines of an answer that has no end, such as of events; the caller closes them. */
    Stream<String> lines(String target) {
        HttpResponse<Stream<String>> answer =
                ask(
                        target,
                        new Question<>(
                                "GET",
                                BodyPublishers.noBody(),
                                Optional.empty(),
                                BodyHandlers.ofLines()));
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
        return once("PUT", target, BodyPublishers.ofString(body.toString()));
    }

    JsonNode post(String target, JsonNode body) {
        return once("POST", target, BodyPublishers.ofString(body.toString()));
    }

    JsonNode patch(String target, JsonNode body) {
        return once("PATCH", target, BodyPublishers.ofString(body.toString()));
    }

    JsonNode delete(String target) {
        return once("DELETE", target, BodyPublishers.noBody());
    }

    /** Starts what runs at a member only, and so has no key in the log. */
    JsonNode start(String target) {
        return unkeyed("POST", target);
    }

    /**
     * Deletes without a key: what is at a member only, or one of very many things, whose keys would
     * drive those of others out of the server's memory.
     */
    JsonNode end(String target) {
        return unkeyed("DELETE", target);
    }

    private JsonNode once(String method, String target, BodyPublisher body) {
        return document(ask(method, target, body, Optional.of(UUID.randomUUID().toString())));
    }

    private JsonNode unkeyed(String method, String target) {
        return document(ask(method, target, BodyPublishers.noBody(), Optional.empty()));
    }

    private HttpResponse<String> ask(
            String method, String target, BodyPublisher body, Optional<String> key) {
        return ask(
                target,
                new Question<>(
                        method,
                        body,
                        key,
                        BodyHandlers.limiting(BodyHandlers.ofString(), MAX_ANSWER_BYTES)));
    }

    private <T> HttpResponse<T> ask(String target, Question<T> question) {
        for (URI server : servers) {
            Optional<HttpResponse<T>> answer = exchange(resolve(server, target), question);
            if (answer.isPresent()) {
                return follow(question, answer.get());
            }
        }
        throw nobodyAnswers(servers);
    }

    private <T> HttpResponse<T> follow(Question<T> question, HttpResponse<T> first) {
        HttpResponse<T> answer = first;
        for (int redirects = 0; answer.statusCode() == 307; redirects++) {
            if (redirects == MAX_REDIRECTS) {
                throw new CommandFailure(
                        ExitCode.UNAVAILABLE,
                        "the members name each other as the leader; try again");
            }
            String location = answer.headers().firstValue("Location").orElse("");
            URI at = resolve(answer.uri(), location);
            answer = exchange(at, question).orElseThrow(() -> nobodyAnswers(List.of(at)));
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
    private <T> Optional<HttpResponse<T>> exchange(URI at, Question<T> question) {
        int lost = 0;
        while (true) {
            try {
                return Optional.of(sent(at, question));
            } catch (ConnectException e) {
                if (lost > 0) {
                    throw broken(at, e);
                }
                return Optional.empty();
            } catch (IOException e) {
                lost++;
                if (question.key().isEmpty() || lost > MAX_LOST_ANSWERS) {
                    throw broken(at, e);
                }
            }
        }
    }

    private static CommandFailure broken(URI at, IOException e) {
        return new CommandFailure(
                ExitCode.UNAVAILABLE,
                "the connection to %s broke: %s; a change may have happened"
                        .formatted(at, e.getMessage()));
    }

    private <T> HttpResponse<T> sent(URI at, Question<T> question) throws IOException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(at)
                            .timeout(ANSWER_TIMEOUT)
                            .header("Authorization", "Bearer " + token)
                            .method(question.method(), question.body());
            question.key().ifPresent(key -> request.header("Idempotency-Key", key));
            return http.send(request.build(), question.reader());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "cannot ask %s: %s".formatted(at, e.getMessage()));
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    ExitCode.UNAVAILABLE,
                    "%s did not answer in time; a change may have happened".formatted(at));
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
