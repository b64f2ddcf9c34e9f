package org.cepheus.admin;

import java.util.OptionalLong;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.Mutation;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the body of {@code PUT /api/v1/quotas}; a member that is not known is refused. */
final class QuotaOrder {
    private static final Set<String> MEMBERS =
            Set.of("path", "kind", "principal", "bytes", "files");

    /** What the command takes for "no limit any more"; null in JSON. */
    private static final long LIFTED = -1;

    private QuotaOrder() {}

    static Mutation.SetQuota read(String body, JsonMapper json) {
        JsonNode order = parse(body, json);
        for (String name : order.propertyNames()) {
            require(MEMBERS.contains(name), "the member '%s' is not known".formatted(name));
        }
        require(order.path("path").isString(), "the member 'path' must be a text");
        FsPath path = FsPath.parse(order.path("path").stringValue());
        QuotaKind kind = kind(order.path("kind"));
        String principal = principal(order.path("principal"), kind);
        OptionalLong bytes = limit(order, "bytes");
        OptionalLong files = limit(order, "files");
        require(
                bytes.isPresent() || files.isPresent(),
                "one of 'bytes' and 'files' must be given; null lifts a limit");
        return new Mutation.SetQuota(path, kind, principal, bytes, files);
    }

    private static JsonNode parse(String body, JsonMapper json) {
        try {
            JsonNode order = json.readTree(body);
            require(order.isObject(), "the body must be a JSON object");
            return order;
        } catch (JacksonException e) {
            throw refusal("the body is no JSON: " + e.getOriginalMessage());
        }
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
        throw refusal("the member 'kind' must be project, user or group, is " + found);
    }

    private static String principal(JsonNode found, QuotaKind kind) {
        require(found.isMissingNode() || found.isString(), "the member 'principal' must be a text");
        String principal = found.isString() ? found.stringValue() : "";
        require(
                (kind == QuotaKind.PROJECT) == principal.isBlank(),
                kind == QuotaKind.PROJECT
                        ? "a project limit has no 'principal'"
                        : "the member 'principal' must name the " + kind.word());
        return principal;
    }

    private static OptionalLong limit(JsonNode order, String name) {
        JsonNode found = order.path(name);
        if (found.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (found.isNull()) {
            return OptionalLong.of(LIFTED);
        }
        require(
                found.isIntegralNumber() && found.canConvertToLong() && found.longValue() >= 0,
                "the member '%s' must be a whole number from 0, or null to lift the limit, is %s"
                        .formatted(name, found));
        return OptionalLong.of(found.longValue());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw refusal(otherwise);
        }
    }

    private static FsException refusal(String sentence) {
        return new FsException(new FsError.InvalidArgument(sentence));
    }
}
