package org.cepheus.protocol.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.domain.TraceId;
import org.junit.jupiter.api.Test;

/** What a server logs of clients that talk nonsense, however many and however long they do. */
final class ClientFaultsTest {
    private static final TraceId TRACE = new TraceId(7);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // It may wrap around.
    private final List<String> lines = new ArrayList<>();
    private final ClientFaults faults = new ClientFaults(nanos::get, (_, line) -> lines.add(line));

    private void aSecondLater() {
        nanos.addAndGet(ClientFaults.PAUSE.toNanos());
    }

    @Test
    void aConnectionIsLoggedOnce() {
        ClientFaults.OfClient client = faults.of("1.2.3.4");

        for (int i = 0; i < 1000; i++) {
            client.say(TRACE, "fault " + i);
            aSecondLater();
        }

        assertThat(lines).containsExactly("client at 1.2.3.4: fault 0");
    }

    @Test
    void allConnectionsTogetherAreLoggedOnceASecondWithTheNumberOfTheOthers() {
        for (int i = 0; i < 1000; i++) {
            faults.of("1.2.3.4").say(TRACE, "fault " + i);
        }
        aSecondLater();
        faults.of("5.6.7.8").say(TRACE, "later");
        aSecondLater();
        faults.of("5.6.7.8").say(TRACE, "again");

        assertThat(lines)
                .containsExactly(
                        "client at 1.2.3.4: fault 0",
                        "client at 5.6.7.8: later (999 more were not logged)",
                        "client at 5.6.7.8: again");
    }

    @Test
    void aLongTextIsCut() {
        faults.of("-").say(TRACE, "x".repeat(100_000));

        assertThat(lines.getFirst())
                .endsWith("x".repeat(ClientFaults.MAX_TEXT_CHARS))
                .hasSizeLessThan(2 * ClientFaults.MAX_TEXT_CHARS);
    }
}
