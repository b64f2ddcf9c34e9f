package org.cepheus.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cepheus.domain.FsException;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.OperatorOrder;
import org.cepheus.domain.port.OrderService;

/**
 * Makes what an operator orders, waits until it is committed, and tells the audit that it is. A
 * request with an Idempotency-Key that came before, at whichever member, gets the answer that the
 * first one got.
 */
final class Changes {
    private static final Map<String, String> REPLAYED = Map.of("Idempotency-Replayed", "true");

    private final OrderService orders;
    private final Audit audit;

    Changes(OrderService orders, Audit audit) {
        this.orders = orders;
        this.audit = audit;
    }

    /** One change of the namespace; 204 when it is done. */
    Answer make(Route.Request request, String operation, Mutation mutation) {
        return make(
                request, operation, mutation.path().value(), new OperatorOrder.Change(mutation));
    }

    /** Any order; 204 when it is done. */
    Answer make(Route.Request request, String operation, String object, OperatorOrder order) {
        try {
            Waiting.on(orders.order(request.caller(), order, request.once()).thenApply(_ -> true));
            audit.allowed(request.caller(), operation, object);
            return Answer.done();
        } catch (FsException e) {
            throw new Refusal(operation, object, e.error());
        }
    }

    /** Answers a request to change something, unless one with the same key was answered before. */
    Answer once(Route route, Route.Request request) {
        Optional<Answer> before = before(request);
        if (before.isPresent()) {
            return before.get();
        }
        try {
            return route.action().answer(request);
        } catch (FsException | Refusal e) {
            // Another request with this key may have been faster: what it removed is not there.
            return before(request).orElseThrow(() -> e);
        }
    }

    private Optional<Answer> before(Route.Request request) {
        return request.once()
                .flatMap(key -> Waiting.on(orders.outcome(request.caller(), key)))
                .map(outcome -> {
                    if (outcome.refused().isPresent()) {
                        throw new FsException(outcome.refused().get());
                    }
                    return new Answer(204, "", "", REPLAYED);
                });
    }

    /** What tells one request from another under the same key. */
    static OnceKey key(String key, String operation, Route.Request request) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (String part : new String[] {operation, sorted(request), request.body()}) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            return new OnceKey(key, Bytes.copyOf(digest.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String sorted(Route.Request request) {
        return new TreeMap<>(request.query().values()).toString();
    }
}
