package org.cepheus.admin;

import java.util.OptionalLong;
import java.util.Set;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.QuotaChange;
import tools.jackson.databind.JsonNode;

/** Reads the body of {@code PUT /api/v1/quotas}; a member that is not known is refused. */
final class QuotaOrder {
    private static final Set<String> MEMBERS =
            Set.of(
                    "path",
                    "kind",
                    "principal",
                    "default",
                    "bytes",
                    "files",
                    "softBytes",
                    "softFiles");

    private QuotaOrder() {}

    static Mutation read(String body) {
        Order order = Order.read(body, MEMBERS);
        FsPath path = order.path("path");
        QuotaKind kind = kind(order.get("kind"));
        var limits =
                new QuotaChange(
                        limit(order, "bytes"),
                        limit(order, "files"),
                        limit(order, "softBytes"),
                        limit(order, "softFiles"));
        Order.require(
                limits.all().anyMatch(OptionalLong::isPresent),
                "one of 'bytes', 'files', 'softBytes' and 'softFiles' must be given; null lifts a limit");
        if (!order.flag("default")) {
            return new Mutation.SetQuota(path, kind, principal(order, kind), limits);
        }
        Order.require(
                kind != QuotaKind.PROJECT && !order.has("principal"),
                "a default is for users or groups, and names none of them");
        return new Mutation.SetDefaultQuota(path, kind, limits);
    }

    private static QuotaKind kind(JsonNode found) {
        if (found.isMissingNode()) {
            return QuotaKind.PROJECT;
        }
        for (QuotaKind kind : QuotaKind.values()) {
            if (found.isString() && kind.word().equals(found.stringValue())) {
                return kind;
            }
        }
        throw Order.refusal("the member 'kind' must be project, user or group, is " + found);
    }

    private static String principal(Order order, QuotaKind kind) {
        String principal = order.optionalText("principal").orElse("");
        Order.require(
                (kind == QuotaKind.PROJECT) == principal.isBlank(),
                kind == QuotaKind.PROJECT
                        ? "a project limit has no 'principal'"
                        : "the member 'principal' must name the " + kind.word());
        return principal;
    }

    private static OptionalLong limit(Order order, String name) {
        JsonNode found = order.get(name);
        if (found.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (found.isNull()) {
            return OptionalLong.of(QuotaLimits.UNLIMITED);
        }
        if (found.isString() && found.stringValue().equals("default")) {
            return OptionalLong.of(QuotaLimits.INHERITED);
        }
        Order.require(
                found.isIntegralNumber() && found.canConvertToLong() && found.longValue() >= 0,
                "the member '%s' must be a whole number from 0, null to lift the limit, or \"default\", is %s"
                        .formatted(name, found));
        return OptionalLong.of(found.longValue());
    }
}
