package org.cepheus.domain.port;

import java.util.function.LongSupplier;

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
}
