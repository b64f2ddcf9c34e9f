package org.cepheus.protocol.xrootd;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.cepheus.domain.codec.Bytes;

/**
 * The logged-in sessions of one server by their random id. Shared between event loops. Knowing the
 * id of a session is the right to end it.
 */
final class Sessions {
    /** The most connections one server serves; more are closed as they come. */
    static final int MAX_CONNECTIONS = 20_000;

    private static final int ID_BYTES = 16;

    private final Map<Bytes, XrootdConnection> byId = new ConcurrentHashMap<>();
    private final RandomGenerator random;

    Sessions(RandomGenerator random) {
        this.random = random;
    }

    /** Makes a session of the connection. */
    Bytes begin(XrootdConnection connection) {
        var id = new byte[ID_BYTES];
        synchronized (random) {
            random.nextBytes(id);
        }
        Bytes key = Bytes.copyOf(id);
        byId.put(key, connection);
        return key;
    }

    Optional<XrootdConnection> find(Bytes id) {
        return Optional.ofNullable(byId.get(id));
    }

    void end(Bytes id) {
        byId.remove(id);
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
