package org.cepheus.protocol.xrootd;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.cepheus.domain.port.Metrics;

/** Counts the operations that were answered, by name. */
final class CountingMetrics implements Metrics {
    private final Map<String, Integer> operations = new ConcurrentHashMap<>();

    @Override
    public void operation(String protocol, String operation, String result, long nanos) {
        operations.merge(operation + " " + result, 1, Integer::sum);
    }

    @Override
    public void bytes(String protocol, boolean received, long bytes) {}

    @Override
    public void gauge(String name, String help, LongSupplier value) {}

    /** How often it went well. */
    int count(String operation) {
        return count(operation, "ok");
    }

    int count(String operation, String result) {
        return operations.getOrDefault(operation + " " + result, 0);
    }
}
