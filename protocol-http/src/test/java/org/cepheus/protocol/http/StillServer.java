package org.cepheus.protocol.http;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;

/** Our server over sites whose content never changes, for clients that nobody knows. */
final class StillServer {
    private StillServer() {}

    static HttpServer start(EventLoopGroup loops, HttpRole role) throws IOException {
        var services =
                new HttpServices(
                        new Nobody(),
                        Metrics.NONE,
                        Audit.NONE,
                        Admission.ALWAYS,
                        new SplittableRandom(1),
                        InstantSource.system());
        return HttpServer.start(HttpServerConfig.at("127.0.0.1", 0), loops, loops, role, services);
    }

    private record Nobody() implements Authenticator {
        @Override
        public List<String> offers() {
            return List.of();
        }

        @Override
        public Identity authenticate(Credential credential, boolean loopback) {
            return Identity.NOBODY;
        }
    }
}
