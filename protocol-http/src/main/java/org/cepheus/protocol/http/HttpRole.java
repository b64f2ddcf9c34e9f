package org.cepheus.protocol.http;

import java.util.Optional;
import java.util.function.Supplier;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.NamespaceService;

/** What the server behind a listener is. */
public sealed interface HttpRole {
    /**
     * An MGM: answers from the namespace and redirects whoever wants bytes.
     *
     * @param door an FST that can do now what needs bytes and no ticket (COPY)
     */
    record Manager(NamespaceService namespace, Supplier<Optional<FstAddress>> door)
            implements HttpRole {}

    /**
     * An FST: serves bytes to tickets. Without a ticket it is a door: it asks the namespace itself,
     * so that clients which follow no redirects can work.
     *
     * @param namespace the MGM's, reached over the wire
     * @param manager where a client with an old ticket is sent back to
     */
    record DataServer(
            DataService data,
            NamespaceService namespace,
            int fstId,
            Supplier<Optional<MgmAddress>> manager)
            implements HttpRole {}
}
