package org.cepheus.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.runtime.LogLine;
import org.slf4j.event.KeyValuePair;

/**
 * Writes {@link LogLine}s. Logback's own encoder has the trace in a list of pairs, where no
 * collector finds it without being told, and much that is the same in every line.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return new LogLine(
                        Instant.ofEpochMilli(event.getTimeStamp()),
                        event.getLevel().toString(),
                        event.getLoggerName(),
                        event.getThreadName(),
                        String.valueOf(event.getFormattedMessage()),
                        pairs(event),
                        Optional.ofNullable(event.getThrowableProxy())
                                .map(ThrowableProxyUtil::asString))
                .toJson();
    }

    private static Map<String, String> pairs(ILoggingEvent event) {
        var pairs = new LinkedHashMap<String, String>();
        for (KeyValuePair each : Optional.ofNullable(event.getKeyValuePairs()).orElse(List.of())) {
            pairs.put(each.key, String.valueOf(each.value));
        }
        return pairs;
    }
}
