package org.cepheus.domain.port;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Where events are counted. Names are documented with the implementation. */
public interface Metrics {
    /** Counts nothing. */
    Metrics NONE =
            new Metrics() {
                @Override
                public void operation(
                        String protocol, String operation, String result, long nanos) {}

                @Override
                public void bytes(String protocol, boolean received, long bytes) {}

                @Override
                public void gauge(String name, String help, LongSupplier value) {}
            };

    /** One request was answered; {@code result} is ok or the kind of error. */
    void operation(String protocol, String operation, String result, long nanos);

    /** File bytes came from or went to clients. */
    void bytes(String protocol, boolean received, long bytes);

    /** Registers a value to be read when somebody looks. */
    void gauge(String name, String help, LongSupplier value);

    /**
     * Registers a table to be read when somebody looks, for what comes and goes by name: quota
     * nodes, volumes. What it costs is paid then.
     */
    default void table(String name, String help, List<String> labels, Supplier<List<Row>> rows) {}

    /**
     * A value of a table.
     *
     * @param labels one for each label of the table, in order
     */
    record Row(List<String> labels, long value) {
        public Row {
            labels = List.copyOf(labels);
        }
    }

    /** A histogram of durations; what it gets are nanoseconds. It allocates nothing for them. */
    default LongConsumer durations(String name, String help) {
        return _ -> {};
    }
}
