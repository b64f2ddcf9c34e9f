package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.cepheus.domain.FsError;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.protocol.xrootd.wire.AttributeCodec;
import org.cepheus.protocol.xrootd.wire.AttributeCodec.Outcome;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.Attributes;

/**
 * Answers fattr. Clients name user attributes without a prefix: {@code colour} is stored as {@code
 * user.colour}; {@code sys.} names are kept as they are.
 */
final class AttributeRequests {
    private static final String USER = "user.";
    private static final String SYSTEM = "sys.";
    private static final Bytes NOTHING = Bytes.copyOf(new byte[0]);

    private final AttributeStore store;
    private final Exchange exchange;
    private final Attributes request;
    private final List<Outcome> outcomes = new ArrayList<>();
    private Optional<FsError> firstError = Optional.empty();

    private AttributeRequests(AttributeStore store, Exchange exchange, Attributes request) {
        this.store = store;
        this.exchange = exchange;
        this.request = request;
    }

    /** Answers the request on behalf of the exchange's caller. */
    static void serve(AttributeStore store, Exchange exchange, Attributes request) {
        boolean changes =
                request.action() == Attributes.SET || request.action() == Attributes.DELETE;
        exchange.concerns(
                store.path().value(), changes ? Exchange.Told.ALL : Exchange.Told.FORBIDDEN);
        var served = new AttributeRequests(store, exchange, request);
        switch (request.action()) {
            case Attributes.GET -> served.read(served::get);
            case Attributes.LIST -> served.read(served::list);
            default -> served.change(0);
        }
    }

    private static String stored(String name) {
        return name.startsWith(USER) || name.startsWith(SYSTEM) ? name : USER + name;
    }

    private static String shown(String name) {
        return name.startsWith(USER) ? name.substring(USER.length()) : name;
    }

    private void read(Consumer<Map<String, Bytes>> answer) {
        exchange.whenDone(() -> store.all(exchange.caller()), answer);
    }

    private void get(Map<String, Bytes> all) {
        int valueBytes = 0;
        for (String name : request.names()) {
            Bytes value = all.get(stored(name));
            outcomes.add(new Outcome(name, value == null ? ErrorCode.ATTRIBUTE_NOT_FOUND : 0));
            valueBytes += value == null ? 0 : value.size();
        }
        ByteBuf body = exchange.begin(256 + valueBytes);
        AttributeCodec.outcomes(outcomes, body);
        for (String name : request.names()) {
            AttributeCodec.value(body, all.getOrDefault(stored(name), NOTHING));
        }
        exchange.ok(body);
    }

    private void list(Map<String, Bytes> all) {
        var named = new TreeMap<String, Bytes>();
        all.forEach((name, value) -> named.put(shown(name), value));
        ByteBuf body = exchange.begin(256);
        AttributeCodec.list(named, request.withValues(), body);
        exchange.ok(body);
    }

    /** One name after the other: each is a change of its own with an outcome of its own. */
    private void change(int index) {
        if (index == request.names().size()) {
            changed();
            return;
        }
        String name = request.names().get(index);
        exchange.whenDone(
                () -> store.change(exchange.caller(), mutation(index, stored(name))),
                _ -> next(index, 0),
                error -> failed(index, error));
    }

    private Mutation mutation(int index, String name) {
        return request.action() == Attributes.SET
                ? new Mutation.SetAttribute(
                        store.path(), name, request.values().get(index), request.onlyNew())
                : new Mutation.RemoveAttribute(store.path(), name);
    }

    private void next(int index, int code) {
        outcomes.add(new Outcome(request.names().get(index), code));
        change(index + 1);
    }

    private void failed(int index, FsError error) {
        if (concernsAll(error)) {
            exchange.fail(error);
            return;
        }
        firstError = firstError.or(() -> Optional.of(error));
        next(index, isMissing(error) ? ErrorCode.ATTRIBUTE_NOT_FOUND : XrootdErrors.code(error));
    }

    private boolean isMissing(FsError error) {
        return error instanceof FsError.NotFound && request.action() == Attributes.DELETE;
    }

    /** Waits and redirects can be said of the whole request only; repeating it is safe. */
    private static boolean concernsAll(FsError error) {
        return error instanceof FsError.NotLeader
                || error instanceof FsError.Unavailable
                || error instanceof FsError.Overloaded;
    }

    /** An outcome is only a number: where nothing went well the reason is told instead. */
    private void changed() {
        if (outcomes.stream().noneMatch(outcome -> outcome.code() == 0)) {
            nothingChanged(firstError.orElseThrow());
            return;
        }
        ByteBuf body = exchange.begin(256);
        AttributeCodec.outcomes(outcomes, body);
        exchange.ok(body);
    }

    private void nothingChanged(FsError error) {
        if (isMissing(error)) { // The attribute, or the path?
            exchange.whenDone(
                    () -> store.exists(exchange.caller()),
                    _ -> exchange.fail(ErrorCode.ATTRIBUTE_NOT_FOUND, error.message()));
        } else {
            exchange.fail(error);
        }
    }
}
