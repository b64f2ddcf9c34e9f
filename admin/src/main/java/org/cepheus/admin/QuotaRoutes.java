package org.cepheus.admin;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.QuotaCheck;
import tools.jackson.databind.node.JsonNodeFactory;

/** Limits and their use, and the recount that proves it. */
final class QuotaRoutes {
    private static final int DEFAULT_CHECK_SECONDS = 3_600;
    private static final int MAX_CHECK_SECONDS = 86_400;
    private static final Listing QUOTAS =
            new Listing(
                    "quotas",
                    Set.of(
                            "path",
                            "kind",
                            "principal",
                            "limitBytes",
                            "limitFiles",
                            "softBytes",
                            "softFiles",
                            "usedBytes",
                            "usedFiles",
                            "reservedBytes",
                            "reservedFiles",
                            "byDefault",
                            "isDefault",
                            "level",
                            "levelBytes",
                            "levelFiles",
                            "state"),
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
                Route.of("DELETE", "/quotas", this::remove, "path"),
                Route.of("GET", "/quotas/check", this::check),
                Route.of("POST", "/quotas/check", this::startCheck, "seconds"),
                Route.of("DELETE", "/quotas/check", this::cancelCheck));
    }

    private Answer list(Route.Request request) {
        var rows = Waiting.on(cluster.quotas(request.caller()));
        return Answer.json(
                QUOTAS.page(rows.stream().map(QuotaDocuments::quota).toList(), request.query()));
    }

    private Answer set(Route.Request request) {
        return changes.make(request, "set quota", QuotaOrder.read(request.body()));
    }

    private Answer remove(Route.Request request) {
        return changes.make(
                request, "remove quota", new Mutation.RemoveQuota(request.query().path()));
    }

    private Answer check(Route.Request request) {
        return shown(Waiting.on(cluster.quotaCheck(request.caller())));
    }

    // Started twice it runs once: nothing to repeat, and so nothing for an Idempotency-Key.
    private Answer startCheck(Route.Request request) {
        int seconds =
                request.query().number("seconds", DEFAULT_CHECK_SECONDS, 1, MAX_CHECK_SECONDS);
        var check =
                Waiting.on(cluster.startQuotaCheck(request.caller(), Duration.ofSeconds(seconds)));
        return shown(Optional.of(check));
    }

    private Answer cancelCheck(Route.Request request) {
        return shown(Waiting.on(cluster.cancelQuotaCheck(request.caller())));
    }

    private static Answer shown(Optional<QuotaCheck> check) {
        return Answer.json(
                check.map(QuotaDocuments::check)
                        .orElseGet(
                                () -> JsonNodeFactory.instance.objectNode().put("state", "none")));
    }
}
