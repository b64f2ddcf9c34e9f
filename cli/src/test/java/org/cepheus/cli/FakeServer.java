package org.cepheus.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Answers what a test says for each method and target, and remembers what was asked. */
final class FakeServer implements AutoCloseable {
    record Asked(String request, String authorization, Optional<String> key, String body) {}

    private record Canned(int status, String body, String location) {}

    final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Canned> answers = new ConcurrentHashMap<>();
    private final Map<String, Integer> lost = new ConcurrentHashMap<>();
    private final Map<String, Runnable> effects = new ConcurrentHashMap<>();
    private final HttpServer server;

    FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    FakeServer answer(String request, int status, String body) {
        answers.put(request, new Canned(status, body, ""));
        return this;
    }

    FakeServer redirect(String request, String location) {
        answers.put(request, new Canned(307, "", location));
        return this;
    }

    /** From now on this happens before such a request is answered. */
    void onRequest(String request, Runnable effect) {
        effects.put(request, effect);
    }

    /** So many of its next answers do not arrive. */
    void loseAnswers(String request, int count) {
        lost.put(request, count);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(
                new Asked(
                        request,
                        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                        Optional.ofNullable(
                                exchange.getRequestHeaders().getFirst("Idempotency-Key")),
                        body));
        if (lost.getOrDefault(request, 0) > 0) {
            lost.merge(request, -1, Integer::sum);
            exchange.close();
            return;
        }
        effects.getOrDefault(request, () -> {}).run();
        Canned answer = answers.getOrDefault(request, new Canned(500, "no answer for it", ""));
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        if (!answer.location().isEmpty()) {
            exchange.getResponseHeaders().set("Location", answer.location());
        }
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
