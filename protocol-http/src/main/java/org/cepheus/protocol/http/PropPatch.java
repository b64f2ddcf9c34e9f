package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;

/**
 * PROPPATCH of dead properties (RFC 4918 section 9.2): one command, all or none. What this server
 * makes itself is protected.
 */
final class PropPatch {
    private final Changes changes;

    PropPatch(Changes changes) {
        this.changes = changes;
    }

    void handle(Exchange exchange) {
        SmallBody.read(
                exchange, XmlBody.MAX_BYTES, body -> change(exchange, PropertyUpdate.parse(body)));
    }

    private void change(Exchange exchange, PropertyUpdate update) {
        FsPath path = exchange.target().path();
        exchange.when(
                changes.stat(exchange, path),
                status -> {
                    List<Refusal> refusals = refusals(update);
                    if (refusals.isEmpty()) {
                        send(exchange, update, status);
                    } else {
                        answer(exchange, update, status, refusals);
                    }
                });
    }

    /** A property that cannot be changed so, and what to answer for it. */
    private record Refusal(PropertyRequest.Name name, String status, String more) {}

    private static List<Refusal> refusals(PropertyUpdate update) {
        var refusals = new ArrayList<Refusal>();
        update.changes()
                .forEach((name, element) -> {
                    Optional<FsError> wrong = DeadProperties.refusal(name, element);
                    if (Property.isProtected(name)) {
                        refusals.add(
                                new Refusal(
                                        name,
                                        "403 Forbidden",
                                        "<D:error><D:cannot-modify-protected-property/></D:error>"));
                    } else if (wrong.isPresent()) {
                        refusals.add(
                                new Refusal(
                                        name,
                                        "507 Insufficient Storage",
                                        "<D:responsedescription>"
                                                + Xml.escape(wrong.get().message())
                                                + "</D:responsedescription>"));
                    }
                });
        return refusals;
    }

    private void send(Exchange exchange, PropertyUpdate update, FileStatus status) {
        var mutation =
                new Mutation.ChangeAttributes(
                        exchange.target().path(), DeadProperties.changes(update));
        exchange.when(
                changes.change(exchange, Preconditions.guarded(exchange, mutation), _ -> false),
                _ -> {
                    exchange.allowed();
                    answer(exchange, update, status, List.of());
                });
    }

    /** With a refusal nothing was changed, and the others failed because of it (424). */
    private static void answer(
            Exchange exchange, PropertyUpdate update, FileStatus status, List<Refusal> refusals) {
        var out = new StringBuilder();
        MultiStatus.open(out);
        MultiStatus.beginResponse(
                PercentCoding.encode(exchange.target().path().value()), status.isDirectory(), out);
        var others = new StringBuilder();
        for (PropertyRequest.Name name : update.changes().keySet()) {
            if (refusals.stream().noneMatch(refusal -> refusal.name().equals(name))) {
                MultiStatus.element(name, "", others);
            }
        }
        if (!others.isEmpty()) {
            MultiStatus.propstat(
                    others, refusals.isEmpty() ? "200 OK" : "424 Failed Dependency", "", out);
        }
        for (Refusal refusal : refusals) {
            var property = new StringBuilder();
            MultiStatus.element(refusal.name(), "", property);
            MultiStatus.propstat(property, refusal.status(), refusal.more(), out);
        }
        MultiStatus.endResponse(out);
        MultiStatus.close(out);
        exchange.answer(
                HttpResponseStatus.MULTI_STATUS,
                new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, MultiStatus.TYPE),
                out.toString());
    }
}
