package org.cepheus.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.DownloadService;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.OrderService;
import org.cepheus.domain.port.SessionService;

/**
 * The routes below {@code /api/v1}, as openapi.yaml lists them; each group has a class of its own.
 * Whoever brings the token acts as the operator.
 */
public final class RestApi {
    static final String PREFIX = "/api/v1";

    private final Identity operator;
    private final EventRoutes events;
    private final Changes changes;
    private final List<Route> routes;

    /**
     * Whom the routes ask.
     *
     * @param audit is told of every change; of refusals {@link AdminHandler} tells
     */
    public record Ports(
            NamespaceService namespace,
            OperatorService cluster,
            FleetService fleet,
            OrderService orders,
            DownloadService downloads,
            SessionService sessions,
            EventFeed events,
            Audit audit) {}

    /**
     * The API of one MGM.
     *
     * @param operator who its requests act as, normally a superuser
     */
    public RestApi(Identity operator, Ports ports) {
        this.operator = operator;
        this.events = new EventRoutes(ports.events());
        this.changes = new Changes(ports.orders(), ports.audit());
        this.routes =
                Stream.of(
                                new ClusterRoutes(ports.cluster(), ports.fleet()).routes(),
                                new FleetRoutes(ports.fleet(), changes).routes(),
                                new QuotaRoutes(ports.cluster(), changes).routes(),
                                new NamespaceRoutes(ports.namespace(), ports.cluster(), changes)
                                        .routes(),
                                new TransferRoutes(ports.cluster(), changes).routes(),
                                new DownloadRoutes(ports.downloads(), ports.audit()).routes(),
                                new SessionRoutes(ports.sessions(), ports.audit()).routes(),
                                events.routes())
                        .flatMap(List::stream)
                        .toList();
    }

    /** Ends what does not end by itself. */
    void close() {
        events.close();
    }

    Identity operator() {
        return operator;
    }

    /** Method and path of every route, in the order of openapi.yaml. */
    List<String> operations() {
        return routes.stream().map(route -> route.method() + " " + route.path()).toList();
    }

    /** The methods of a path; empty if there is no such path. */
    List<String> methodsOf(String path) {
        return routes.stream()
                .filter(route -> route.match(path).isPresent())
                .map(Route::method)
                .toList();
    }

    /**
     * Answers one request; empty if there is no such route.
     *
     * @throws FsException the refusal
     */
    Optional<Answer> answer(String method, String path, Route.Request request) {
        for (Route route : routes) {
            Optional<Map<String, String>> segments = route.match(path);
            if (segments.isPresent() && route.method().equals(method)) {
                request.query().allowOnly(route.query());
                Route.Request found = request.at(method + " " + path, segments.get());
                return Optional.of(
                        route.changes()
                                ? changes.once(route, found)
                                : route.action().answer(found));
            }
        }
        return Optional.empty();
    }
}
