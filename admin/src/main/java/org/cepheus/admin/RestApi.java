package org.cepheus.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OperatorService;

/**
 * The routes below {@code /api/v1}, as openapi.yaml lists them; each group has a class of its own.
 * Whoever brings the token acts as the operator.
 */
public final class RestApi {
    static final String PREFIX = "/api/v1";

    private final Identity operator;
    private final List<Route> routes;

    /**
     * The API of one MGM.
     *
     * @param operator who its requests act as, normally a superuser
     * @param audit is told of every change and every refusal to make one
     */
    public RestApi(
            Identity operator, NamespaceService namespace, OperatorService cluster, Audit audit) {
        this.operator = operator;
        var changes = new Changes(namespace, audit);
        this.routes =
                Stream.of(
                                new ClusterRoutes(cluster).routes(),
                                new QuotaRoutes(cluster, changes).routes(),
                                new NamespaceRoutes(namespace, changes).routes(),
                                new TransferRoutes(cluster).routes())
                        .flatMap(List::stream)
                        .toList();
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
                return Optional.of(route.action().answer(request.with(segments.get())));
            }
        }
        return Optional.empty();
    }
}
