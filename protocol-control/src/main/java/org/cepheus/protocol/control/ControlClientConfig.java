package org.cepheus.protocol.control;

import java.util.List;
import org.cepheus.domain.codec.Bytes;

/**
 * Who calls, and whom.
 *
 * @param hello what the FST says of itself
 * @param key its control key, 32 bytes
 * @param mgms where MGMs listen for FSTs, tried in order until one leads or names the leader
 */
public record ControlClientConfig(Hello hello, Bytes key, List<Mgm> mgms) {
    public ControlClientConfig {
        mgms = List.copyOf(mgms);
        if (mgms.isEmpty()) {
            throw new IllegalArgumentException("an FST needs the address of at least one MGM");
        }
    }

    /** One MGM's control port. */
    public record Mgm(String host, int port) {}
}
