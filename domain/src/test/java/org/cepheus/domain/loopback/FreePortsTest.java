package org.cepheus.domain.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    @Test
    void findsPortsBelowThoseThatTheKernelGivesToClients() {
        assertThat(FreePorts.firstOf(5)).isBetween(FreePorts.FIRST, 32_768 - 5);
    }

    @Test
    void findsPortsThatCanBeBoundTogether() throws Exception {
        int first = FreePorts.firstOf(2);
        try (var one = new ServerSocket();
                var other = new ServerSocket()) {
            one.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first));
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first + 1));
            assertThat(other.getLocalPort()).isEqualTo(first + 1);
        }
    }
}
