package org.cepheus.protocol.http;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;

/**
 * Does one thing for each of many paths, some of them at a time. After the first failure, or when
 * the client is gone, nothing more is begun. Confined to the event loop.
 */
final class Crowd<T, R> {
    /** The path that stopped the work, and why. */
    record Failure(FsPath path, FsError error) {}

    /** One path and what belongs to it. */
    record Member<T>(FsPath path, T value) {}

    private final Exchange exchange;
    private final Queue<Member<T>> waiting;
    private final int atOnce;
    private final Function<Member<T>, CompletionStage<R>> action;
    private final BiConsumer<Member<T>, R> result;
    private final Consumer<Optional<Failure>> done;
    private Optional<Failure> failure = Optional.empty();
    private int running;
    private boolean starting;

    private Crowd(
            Exchange exchange,
            List<Member<T>> members,
            int atOnce,
            Function<Member<T>, CompletionStage<R>> action,
            BiConsumer<Member<T>, R> result,
            Consumer<Optional<Failure>> done) {
        this.exchange = exchange;
        this.waiting = new ArrayDeque<>(members);
        this.atOnce = atOnce;
        this.action = action;
        this.result = result;
        this.done = done;
    }

    /** Gives each result to its taker, and calls {@code done} once when nothing runs any more. */
    static <T, R> void run(
            Exchange exchange,
            List<Member<T>> members,
            int atOnce,
            Function<Member<T>, CompletionStage<R>> action,
            BiConsumer<Member<T>, R> result,
            Consumer<Optional<Failure>> done) {
        new Crowd<>(exchange, members, atOnce, action, result, done).start();
    }

    private void start() {
        if (starting) {
            return;
        }
        starting = true;
        while (running < atOnce && !waiting.isEmpty() && failure.isEmpty() && !exchange.isOver()) {
            Member<T> next = waiting.remove();
            running++;
            exchange.when(
                    action.apply(next),
                    value -> {
                        result.accept(next, value);
                        ended();
                    },
                    error -> {
                        failure = failure.or(() -> Optional.of(new Failure(next.path(), error)));
                        ended();
                    });
        }
        starting = false;
        if (running == 0) {
            done.accept(failure);
        }
    }

    private void ended() {
        running--;
        start();
    }
}
