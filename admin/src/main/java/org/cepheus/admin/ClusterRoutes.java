package org.cepheus.admin;

import java.util.List;
import org.cepheus.domain.port.OperatorService;

/** The members of the cluster and what it can say of itself. */
final class ClusterRoutes {
    private final OperatorService cluster;

    ClusterRoutes(OperatorService cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/status", this::status), Route.of("GET", "/errors", this::errors));
    }

    private Answer status(Route.Request request) {
        return Answer.json(Documents.status(cluster.status()));
    }

    private Answer errors(Route.Request request) {
        return Answer.json(Documents.catalogue());
    }
}
