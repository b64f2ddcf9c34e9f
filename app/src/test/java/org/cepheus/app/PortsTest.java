package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.cepheus.cli.CommandFailure;
import org.cepheus.domain.loopback.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortsTest {
    @Test
    void areTheUsualOnesWithoutABase() {
        assertThat(Ports.USUAL.uses())
                .extracting(Ports.Use::port)
                .containsExactlyInAnyOrder(1094, 1095, 1096, 8080, 8081, 8082, 9080, 1124, 1125);
    }

    @Test
    void areAllMovedByTheBase() {
        assertThat(Ports.from(20_000).uses())
                .extracting(Ports.Use::port)
                .containsExactlyInAnyOrder(
                        20_000, 20_001, 20_002, 20_010, 20_011, 20_012, 20_020, 20_030, 20_031);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_505, 70_000})
    void refuseABaseThatLeavesNoRoom(int base) {
        assertThatThrownBy(() -> Ports.from(base))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("1..65504");
    }

    @Test
    void refuseATakenOneAndNameItsPurpose() throws Exception {
        Ports ports = Ports.from(FreePorts.firstOf(Ports.SPAN));
        assertThatCode(ports::refuseTaken).doesNotThrowAnyException();

        try (var other =
                new ServerSocket(ports.httpOfFst(2), 1, InetAddress.getByName(Ports.HOST))) {
            assertThatThrownBy(ports::refuseTaken)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage(
                            "port %d (HTTP at FST 2) on 127.0.0.1 is already taken; stop what listens there, or move all ports with --port-base N"
                                    .formatted(other.getLocalPort()));
        }
    }
}
