package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.SessionService;

/** Clients that are logged in at this member. Every member has its own, so none sends elsewhere. */
final class SessionRoutes {
    private static final Listing SESSIONS =
            new Listing(
                    "sessions",
                    Set.of("id", "protocol", "user", "client", "since"),
                    List.of("since", "id"));

    private static final String END = "end session";

    private final SessionService sessions;
    private final Audit audit;

    SessionRoutes(SessionService sessions, Audit audit) {
        this.sessions = sessions;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(
                Route.list("/sessions", this::list),
                Route.of("DELETE", "/sessions/{session}", this::end));
    }

    private Answer list(Route.Request request) {
        Rights.requireOperator(request);
        return Answer.json(
                SESSIONS.page(
                        sessions.sessions().stream().map(Documents::session).toList(),
                        request.query()));
    }

    private Answer end(Route.Request request) {
        Rights.requireOperator(request);
        long number = request.number("session");
        if (!sessions.end(number)) {
            throw new Refusal(
                    END,
                    Long.toString(number),
                    new FsError.NotFound(
                            "no session with the number %d is at this member".formatted(number)));
        }
        audit.allowed(request.caller(), END, Long.toString(number));
        return Answer.done();
    }
}
