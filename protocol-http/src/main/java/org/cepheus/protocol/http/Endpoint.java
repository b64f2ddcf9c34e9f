package org.cepheus.protocol.http;

import java.util.Optional;
import org.cepheus.domain.FsError;

/** What answers the requests of one listener. */
interface Endpoint {
    /**
     * Answers, now or later; an {@link org.cepheus.domain.FsException} is answered by the caller.
     */
    void handle(Exchange exchange);

    /** The URL of another server that can answer instead of failing. */
    Optional<String> elsewhere(Exchange exchange, FsError error);
}
