package org.cepheus.admin;

import java.util.OptionalLong;
import java.util.Set;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.Mutation;
import tools.jackson.databind.JsonNode;

/** Reads the body of {@code PUT /api/v1/quotas}; a member that is not known is refused. */
final class QuotaOrder {
    private static final Set<String> MEMBERS =
            Set.of("path", "kind", "principal", "bytes", "files");

    /** What the command takes for "no limit any more"; null in JSON. */
    private static final long LIFTED = -1;

    private QuotaOrder() {}

    static Mutation.SetQuota read(String body) {
        Order order = Order.read(body, MEMBERS);
        FsPath path = order.path("path");
        QuotaKind kind = kind(order.get("kind"));
        String principal = principal(order, kind);
        OptionalLong bytes = limit(order, "bytes");
        OptionalLong files = limit(order, "files");
        Order.require(
                bytes.isPresent() || files.isPresent(),
                "one of 'bytes' and 'files' must be given; null lifts a limit");
        return new Mutation.SetQuota(path, kind, principal, bytes, files);
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
            return OptionalLong.of(LIFTED);
        }
        Order.require(
                found.isIntegralNumber() && found.canConvertToLong() && found.longValue() >= 0,
                "the member '%s' must be a whole number from 0, or null to lift the limit, is %s"
                        .formatted(name, found));
        return OptionalLong.of(found.longValue());
    }
}
