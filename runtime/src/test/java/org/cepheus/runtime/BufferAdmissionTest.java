package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.domain.FsError;
import org.junit.jupiter.api.Test;

class BufferAdmissionTest {
    private static final long LIMIT = 600L << 20;

    private final AtomicLong used = new AtomicLong();

    private BufferAdmission at(long bytes) {
        used.set(bytes);
        return new BufferAdmission(used::get, LIMIT);
    }

    @Test
    void admitsUpToTheLimit() {
        assertThat(at(LIMIT).refusal()).isEmpty();
        assertThat(at(LIMIT).isShort()).isFalse();
    }

    @Test
    void refusesNewWorkAboveTheLimitAndSaysBothNumbers() {
        FsError refusal = at(LIMIT + (5 << 20)).refusal().orElseThrow();

        assertThat(refusal).isInstanceOf(FsError.Overloaded.class);
        assertThat(refusal.message()).contains("605 MiB", "600");
        assertThat(at(LIMIT + (5 << 20)).isShort()).isFalse();
    }

    @Test
    void runningWorkIsRestrictedASixthAboveIt() {
        assertThat(at(LIMIT + LIMIT / 6 + 1).isShort()).isTrue();
    }
}
