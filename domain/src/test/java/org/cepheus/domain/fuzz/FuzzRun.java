package org.cepheus.domain.fuzz;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives a target many inputs, on all processors. Every input is made from the run's seed and its
 * own number, so that one which failed comes again alone: {@code -Dfuzz.seed=S -Dfuzz.only=N}.
 *
 * @param inputs how many; {@code -Dfuzz.inputs} says otherwise, and {@code -Dfuzz.seconds} ends the
 *     run earlier
 */
public record FuzzRun(String name, long inputs) {
    /** An input that takes longer hangs. */
    private static final Duration HANG = Duration.ofSeconds(20);

    private static final int SHOWN_BYTES = 2048;

    /** Makes the input of one number. */
    public interface Source {
        byte[] next(RandomGenerator random);
    }

    /** What is tried; used by one thread. Fails by throwing. */
    public interface Target {
        void take(byte[] input, RandomGenerator random) throws Exception;

        /** All inputs of this thread were taken. */
        default void finish() {}
    }

    private static final class Worker {
        final Thread thread;
        volatile long sinceNanos = System.nanoTime();
        volatile byte[] input = new byte[0];

        Worker(Runnable work) {
            thread = Thread.ofPlatform().daemon().unstarted(work);
        }
    }

    /** Runs to the end or the first failure. */
    public void run(Source source, Supplier<Target> targets) throws InterruptedException {
        long seed = Long.getLong("fuzz.seed", 1);
        Long only = Long.getLong("fuzz.only");
        long count = only == null ? Long.getLong("fuzz.inputs", inputs) : 1;
        var next = new AtomicLong(only == null ? 0 : only);
        long begin = next.get();
        long end = begin + count;
        long seconds = Long.getLong("fuzz.seconds", Long.MAX_VALUE / 2_000_000_000);
        long startNanos = System.nanoTime();
        long limitNanos = Duration.ofSeconds(seconds).toNanos();
        var failure = new AtomicReference<@Nullable Throwable>();
        int threads = only == null ? Runtime.getRuntime().availableProcessors() : 1;
        var workers = new ArrayList<Worker>();
        for (int i = 0; i < threads; i++) {
            int self = i;
            workers.add(
                    new Worker(() -> {
                        Target target = targets.get();
                        Worker worker = workers.get(self);
                        long number = -1;
                        try {
                            while (failure.get() == null
                                    && System.nanoTime() - startNanos < limitNanos
                                    && (number = next.getAndIncrement()) < end) {
                                var random =
                                        new SplittableRandom(seed * 0x9e3779b97f4a7c15L + number);
                                worker.input = source.next(random);
                                worker.sinceNanos = System.nanoTime();
                                target.take(worker.input, random);
                            }
                            worker.sinceNanos = System.nanoTime();
                            target.finish();
                        } catch (Throwable e) {
                            failure.compareAndSet(
                                    null, failed(seed, number, worker.input, e.toString(), e));
                        }
                    }));
        }
        workers.forEach(worker -> worker.thread.start());
        await(workers, failure);
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError(failed.getMessage(), failed);
        }
        long tried = Math.min(next.get(), end) - begin;
        double took = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf(
                "fuzz: %s took %,d inputs of seed %d in %.0f s, %,.0f a second%n",
                name, tried, seed, took, tried / took);
    }

    private void await(List<Worker> workers, AtomicReference<@Nullable Throwable> failure)
            throws InterruptedException {
        for (Worker worker : workers) {
            while (!worker.thread.join(Duration.ofSeconds(1))) {
                long nanos = System.nanoTime() - worker.sinceNanos;
                if (nanos > HANG.toNanos() && failure.get() == null) {
                    var where = new Throwable("where it hangs");
                    where.setStackTrace(worker.thread.getStackTrace());
                    failure.set(failed(0, 0, worker.input, "hangs", where));
                    return;
                }
            }
        }
    }

    private AssertionError failed(
            long seed, long number, byte[] input, String what, Throwable cause) {
        int shown = Math.min(SHOWN_BYTES, input.length);
        return new AssertionError(
                """
                %s: %s
                again with -Dfuzz.seed=%d -Dfuzz.only=%d
                %d bytes: %s
                %s\
                """
                        .formatted(
                                name,
                                what,
                                seed,
                                number,
                                input.length,
                                HexFormat.of().formatHex(input, 0, shown),
                                new String(input, 0, shown, StandardCharsets.ISO_8859_1)),
                cause);
    }
}
