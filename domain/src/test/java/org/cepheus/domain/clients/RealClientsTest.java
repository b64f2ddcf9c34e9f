package org.cepheus.domain.clients;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

@DisplayName("A test whose client is missing")
class RealClientsTest {
    @Test
    void isSkippedWithTheReason() {
        assertThatThrownBy(() -> RealClients.missing("no xrdcp", false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("no xrdcp");
    }

    @Test
    void failsWhereClientsAreRequired() {
        assertThatThrownBy(() -> RealClients.missing("no xrdcp", true))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("no xrdcp");
    }

    @Test
    void goesOnWithWhatIsThere() {
        assertThatCode(() -> RealClients.require("env", "coreutils")).doesNotThrowAnyException();
    }
}
