package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.OperatorOrder;
import tools.jackson.databind.node.ObjectNode;

/** Machines, file systems (volumes, as FSTs serve them) and spaces. */
final class FleetRoutes {
    private static final Listing NODES =
            new Listing(
                    "nodes",
                    Set.of(
                            "id",
                            "kind",
                            "number",
                            "host",
                            "role",
                            "state",
                            "alive",
                            "lastSeen",
                            "streams",
                            "lagEntries",
                            "silentMillis"),
                    List.of("kind", "number", "id"));
    private static final Listing FILE_SYSTEMS =
            new Listing(
                    "fs",
                    Set.of("id", "uuid", "state", "usable", "totalBytes", "freeBytes", "uploads"),
                    List.of("id"));
    private static final Listing SPACES =
            new Listing(
                    "spaces",
                    Set.of("name", "totalBytes", "freeBytes", "usedBytes", "files", "writable"),
                    List.of("name"));

    private final FleetService fleet;
    private final Changes changes;

    FleetRoutes(FleetService fleet, Changes changes) {
        this.fleet = fleet;
        this.changes = changes;
    }

    List<Route> routes() {
        return List.of(
                Route.list("/nodes", this::nodes),
                Route.of("PATCH", "/nodes/{node}", this::changeNode),
                Route.list("/fs", this::fileSystems),
                Route.of("PATCH", "/fs/{fs}", this::changeFileSystem),
                Route.list("/spaces", this::spaces));
    }

    private Answer nodes(Route.Request request) {
        List<ObjectNode> rows =
                Waiting.on(fleet.nodes(request.caller())).stream().map(Documents::node).toList();
        return Answer.json(NODES.page(rows, request.query()));
    }

    private Answer fileSystems(Route.Request request) {
        List<ObjectNode> rows =
                Waiting.on(fleet.fileSystems(request.caller())).stream()
                        .map(Documents::fileSystem)
                        .toList();
        return Answer.json(FILE_SYSTEMS.page(rows, request.query()));
    }

    private Answer spaces(Route.Request request) {
        List<ObjectNode> rows =
                Waiting.on(fleet.spaces(request.caller())).stream().map(Documents::space).toList();
        return Answer.json(SPACES.page(rows, request.query()));
    }

    private Answer changeNode(Route.Request request) {
        return setState(request, ServiceTarget.fst(fst(request.segment("node"))));
    }

    // An MGM has no state to set: it is stopped or started.
    private static int fst(String node) {
        String digits = node.startsWith("fst") ? node.substring(3) : node;
        try {
            int number = Integer.parseInt(digits);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same answer as for a number that nobody has.
        }
        throw new FsException(new FsError.NotFound("there is no FST '%s'".formatted(node)));
    }

    private Answer changeFileSystem(Route.Request request) {
        return setState(request, ServiceTarget.volume(request.smallNumber("fs")));
    }

    private Answer setState(Route.Request request, ServiceTarget target) {
        String word = Order.read(request.body(), Set.of("state")).text("state");
        ServiceState state =
                ServiceState.named(word)
                        .orElseThrow(() ->
                                Order.refusal(
                                        "the member 'state' must be rw, ro, drain or off, is '%s'"
                                                .formatted(word)));
        return changes.make(
                request,
                "set state " + word,
                target.toString(),
                new OperatorOrder.SetState(target, state));
    }
}
