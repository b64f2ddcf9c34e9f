package org.cepheus.admin;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OperatorService;
import tools.jackson.databind.json.JsonMapper;

/**
 * The routes below {@code /api/v1}, as openapi.yaml lists them. Whoever brings the token acts as
 * the operator. Answers wait for the namespace on the caller's thread, which is a virtual one.
 */
public final class RestApi {
    static final String PREFIX = "/api/v1";

    /** The most entries or transfers of one answer. */
    static final int MAX_ROWS = 10_000;

    private static final int DEFAULT_ROWS = 1_000;
    private static final long DEADLINE_SECONDS = 30;

    /** One request that may be answered. */
    record Request(Query query, String body, Caller caller) {}

    private interface Action {
        Answer answer(Request request);
    }

    /** One method of one path; {@code query} are the parameters it knows. */
    private record Route(String method, String path, Set<String> query, Action action) {
        boolean isFor(String wantedMethod, String wantedPath) {
            return method.equals(wantedMethod) && path.equals(wantedPath);
        }
    }

    private final Identity operator;
    private final NamespaceService namespace;
    private final OperatorService cluster;
    private final Audit audit;
    private final JsonMapper json = new JsonMapper();
    private final List<Route> routes =
            List.of(
                    new Route("GET", PREFIX + "/status", Set.of(), this::status),
                    new Route("GET", PREFIX + "/quotas", Set.of(), this::quotas),
                    new Route("PUT", PREFIX + "/quotas", Set.of(), this::setQuota),
                    new Route("DELETE", PREFIX + "/quotas", Set.of("path"), this::removeQuota),
                    new Route("GET", PREFIX + "/namespace", Set.of("path"), this::stat),
                    new Route(
                            "GET",
                            PREFIX + "/namespace/entries",
                            Set.of("path", "after", "max"),
                            this::list),
                    new Route("GET", PREFIX + "/transfers", Set.of("max"), this::transfers));

    /**
     * The API of one MGM.
     *
     * @param operator who its requests act as, normally a superuser
     * @param audit is told of every change and every refusal to make one
     */
    public RestApi(
            Identity operator, NamespaceService namespace, OperatorService cluster, Audit audit) {
        this.operator = operator;
        this.audit = audit;
        this.namespace = namespace;
        this.cluster = cluster;
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
        return routes.stream().filter(r -> r.path().equals(path)).map(Route::method).toList();
    }

    /**
     * Answers one request; empty if there is no such route.
     *
     * @throws FsException the refusal
     */
    Optional<Answer> answer(String method, String path, Request request) {
        return routes.stream()
                .filter(route -> route.isFor(method, path))
                .findFirst()
                .map(route -> {
                    request.query().allowOnly(route.query());
                    return route.action().answer(request);
                });
    }

    private Answer status(Request request) {
        return Answer.json(200, Documents.status(cluster.status()));
    }

    private Answer quotas(Request request) {
        return Answer.json(200, Documents.quotas(await(cluster.quotas(request.caller()))));
    }

    private Answer setQuota(Request request) {
        return change(request.caller(), "set quota", QuotaOrder.read(request.body(), json));
    }

    private Answer removeQuota(Request request) {
        var removal = new Mutation.RemoveQuota(request.query().path());
        return change(request.caller(), "remove quota", removal);
    }

    private Answer change(Caller caller, String operation, Mutation mutation) {
        String object = mutation.path().value();
        try {
            await(namespace.change(caller, mutation).thenApply(_ -> true));
            audit.allowed(caller, operation, object);
            return Answer.done();
        } catch (FsException e) {
            audit.refused(caller, operation, object, e.error());
            throw e;
        }
    }

    private Answer stat(Request request) {
        FsPath path = request.query().path();
        return Answer.json(
                200, Documents.entry(path, await(namespace.stat(request.caller(), path))));
    }

    private Answer list(Request request) {
        FsPath directory = request.query().path();
        String after = request.query().text("after");
        int max = request.query().number("max", DEFAULT_ROWS, 1, MAX_ROWS);
        var page = await(namespace.list(request.caller(), directory, after, max));
        return Answer.json(200, Documents.entries(directory, page));
    }

    private Answer transfers(Request request) {
        int max = request.query().number("max", DEFAULT_ROWS, 1, MAX_ROWS);
        return Answer.json(
                200, Documents.transfers(await(cluster.transfers(request.caller(), max))));
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new FsException(FsException.errorOf(e));
        } catch (TimeoutException e) {
            throw new FsException(
                    new FsError.Unavailable(
                            "the namespace did not answer within %d s; a change may have happened"
                                    .formatted(DEADLINE_SECONDS),
                            5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(new FsError.Unavailable("this server is stopping", 5));
        }
    }
}
