package org.cepheus.admin;

import java.util.List;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.OperatorService;

/** The members of the cluster and what it can say of itself. */
final class ClusterRoutes {
    private final OperatorService cluster;
    private final FleetService fleet;

    ClusterRoutes(OperatorService cluster, FleetService fleet) {
        this.cluster = cluster;
        this.fleet = fleet;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/status", this::status),
                Route.of("GET", "/errors", this::errors),
                Route.of("GET", "/config", this::config));
    }

    private Answer status(Route.Request request) {
        return Answer.json(Documents.status(cluster.status()));
    }

    private Answer errors(Route.Request request) {
        return Answer.json(Documents.catalogue());
    }

    private Answer config(Route.Request request) {
        Rights.requireOperator(request);
        return Answer.json(Documents.settings(fleet.settings()));
    }
}
