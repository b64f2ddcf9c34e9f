package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.OperatorService;

/** Limits and their use. */
final class QuotaRoutes {
    private static final Listing QUOTAS =
            new Listing(
                    "quotas",
                    Set.of(
                            "path",
                            "kind",
                            "principal",
                            "limitBytes",
                            "limitFiles",
                            "usedBytes",
                            "usedFiles",
                            "reservedBytes",
                            "reservedFiles"),
                    List.of("path", "kind", "principal"));

    private final OperatorService cluster;
    private final Changes changes;

    QuotaRoutes(OperatorService cluster, Changes changes) {
        this.cluster = cluster;
        this.changes = changes;
    }

    List<Route> routes() {
        return List.of(
                Route.list("/quotas", this::list),
                Route.of("PUT", "/quotas", this::set),
                Route.of("DELETE", "/quotas", this::remove, "path"));
    }

    private Answer list(Route.Request request) {
        var rows = Waiting.on(cluster.quotas(request.caller()));
        return Answer.json(
                QUOTAS.page(rows.stream().map(Documents::quota).toList(), request.query()));
    }

    private Answer set(Route.Request request) {
        return changes.make(request, "set quota", QuotaOrder.read(request.body()));
    }

    private Answer remove(Route.Request request) {
        return changes.make(
                request, "remove quota", new Mutation.RemoveQuota(request.query().path()));
    }
}
