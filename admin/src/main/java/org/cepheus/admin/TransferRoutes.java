package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.port.OperatorService;

/** Uploads that are running. */
final class TransferRoutes {
    private static final Listing TRANSFERS =
            new Listing(
                    "transfers",
                    Set.of(
                            "path",
                            "fst",
                            "user",
                            "client",
                            "since",
                            "declaredBytes",
                            "reservedBytes",
                            "state",
                            "trace"),
                    List.of("since", "path", "trace"));

    private final OperatorService cluster;

    TransferRoutes(OperatorService cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(Route.list("/transfers", this::list));
    }

    private Answer list(Route.Request request) {
        var rows = Waiting.on(cluster.transfers(request.caller(), Listing.MAX_ROWS));
        return Answer.json(
                TRANSFERS.page(rows.stream().map(Documents::transfer).toList(), request.query()));
    }
}
