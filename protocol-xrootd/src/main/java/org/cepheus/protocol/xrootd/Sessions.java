package org.cepheus.protocol.xrootd;

import io.netty.channel.Channel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.SessionService.Session;

/**
 * The logged-in sessions of one server by their random id. Shared between event loops. Knowing the
 * id of a session is the right to end it.
 */
final class Sessions {
    /** The most connections one server serves; more are closed as they come. */
    static final int MAX_CONNECTIONS = 20_000;

    private static final int ID_BYTES = 16;

    private final Map<Bytes, Opened> byId = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final RandomGenerator random;
    private final InstantSource clock;

    /**
     * A session and what operators may see of it.
     *
     * @param user who is logged in, as of a moment ago for other threads
     */
    private record Opened(
            long number,
            XrootdConnection connection,
            Channel channel,
            String client,
            Supplier<String> user,
            Instant since) {
        Session shown() {
            return new Session(number, "xroot", user.get(), client, since);
        }
    }

    Sessions(RandomGenerator random) {
        this(random, InstantSource.system());
    }

    Sessions(RandomGenerator random, InstantSource clock) {
        this.random = random;
        this.clock = clock;
    }

    /** Makes a session of the connection. */
    Bytes begin(
            XrootdConnection connection, Channel channel, String client, Supplier<String> user) {
        var id = new byte[ID_BYTES];
        synchronized (random) {
            random.nextBytes(id);
        }
        Bytes key = Bytes.copyOf(id);
        byId.put(
                key,
                new Opened(
                        numbers.incrementAndGet(),
                        connection,
                        channel,
                        client,
                        user,
                        clock.instant()));
        return key;
    }

    Optional<XrootdConnection> find(Bytes id) {
        return Optional.ofNullable(byId.get(id)).map(Opened::connection);
    }

    void end(Bytes id) {
        byId.remove(id);
    }

    /** What operators see. */
    List<Session> shown() {
        return byId.values().stream().map(Opened::shown).toList();
    }

    /** Cuts the connection of a session; false if there is none of that number. */
    boolean cut(long number) {
        Optional<Opened> found =
                byId.values().stream().filter(each -> each.number() == number).findFirst();
        found.ifPresent(each -> each.channel().close());
        return found.isPresent();
    }

    int count() {
        return byId.size();
    }

    /** A generator of trace ids for one connection, so that connections share nothing. */
    RandomGenerator traces() {
        long seed;
        synchronized (random) {
            seed = random.nextLong();
        }
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }
}
