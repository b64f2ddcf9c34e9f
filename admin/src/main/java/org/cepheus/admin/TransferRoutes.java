package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.port.OperatorOrder;
import org.cepheus.domain.port.OperatorService;

/** Uploads that are running. */
final class TransferRoutes {
    private static final Listing TRANSFERS =
            new Listing(
                    "transfers",
                    Set.of(
                            "id",
                            "path",
                            "fst",
                            "user",
                            "client",
                            "since",
                            "declaredBytes",
                            "reservedBytes",
                            "state",
                            "trace"),
                    List.of("since", "id", "path"));

    private final OperatorService cluster;
    private final Changes changes;

    TransferRoutes(OperatorService cluster, Changes changes) {
        this.cluster = cluster;
        this.changes = changes;
    }

    List<Route> routes() {
        return List.of(
                Route.list("/transfers", this::list),
                Route.of("DELETE", "/transfers/{transfer}", this::end));
    }

    private Answer list(Route.Request request) {
        var rows = Waiting.on(cluster.transfers(request.caller(), Listing.MAX_ROWS));
        return Answer.json(
                TRANSFERS.page(rows.stream().map(Documents::transfer).toList(), request.query()));
    }

    private Answer end(Route.Request request) {
        long id = request.number("transfer");
        return changes.make(
                request, "end transfer", Long.toString(id), new OperatorOrder.EndTransfer(id));
    }
}
