package org.cepheus.admin;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.OperatorService.Found;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Names, as every other protocol sees them, under the rights of the operator. */
final class NamespaceRoutes {
    private static final int DIRECTORY_MODE = 0755;

    private final NamespaceService namespace;
    private final OperatorService cluster;
    private final Changes changes;

    NamespaceRoutes(NamespaceService namespace, OperatorService cluster, Changes changes) {
        this.namespace = namespace;
        this.cluster = cluster;
        this.changes = changes;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/namespace", this::stat, "path"),
                Route.of("PATCH", "/namespace", this::change),
                Route.of("DELETE", "/namespace", this::remove, "path"),
                Route.of("GET", "/namespace/entries", this::list, "path", "after", "max"),
                Route.of("POST", "/namespace/directories", this::makeDirectory),
                Route.of("POST", "/namespace/rename", this::rename),
                Route.of("GET", "/namespace/attributes", this::attributes, "path"),
                Route.of("PUT", "/namespace/attributes", this::setAttribute),
                Route.of("DELETE", "/namespace/attributes", this::removeAttribute, "path", "name"),
                Route.of("GET", "/namespace/checksum", this::checksum, "path", "type"),
                Route.of("GET", "/namespace/space", this::space, "path"),
                Route.of("GET", "/namespace/inodes/{inode}", this::find));
    }

    private FileStatus status(Caller caller, FsPath path) {
        return Waiting.on(namespace.stat(caller, path));
    }

    private Answer stat(Route.Request request) {
        FsPath path = request.query().path();
        return Answer.json(Documents.entry(path, status(request.caller(), path)));
    }

    private Answer find(Route.Request request) {
        Found found = Waiting.on(cluster.find(request.caller(), request.number("inode")));
        return Answer.json(Documents.entry(found.path(), found.status()));
    }

    private Answer list(Route.Request request) {
        FsPath directory = request.query().path();
        String after = request.query().text("after");
        int max = request.query().number("max", Listing.DEFAULT_ROWS, 1, Listing.MAX_ROWS);
        var page = Waiting.on(namespace.list(request.caller(), directory, after, max));
        return Answer.json(Documents.entries(directory, page));
    }

    private Answer makeDirectory(Route.Request request) {
        Order order = Order.read(request.body(), Set.of("path", "mode", "parents"));
        int mode = order.has("mode") ? order.mode("mode") : DIRECTORY_MODE;
        return changes.make(
                request,
                "make directory",
                new Mutation.MakeDirectory(order.path("path"), mode, order.flag("parents")));
    }

    private Answer remove(Route.Request request) {
        FsPath path = request.query().path();
        return status(request.caller(), path).isDirectory()
                ? changes.make(request, "remove directory", new Mutation.RemoveDirectory(path))
                : changes.make(request, "remove", new Mutation.RemoveFile(path));
    }

    private Answer rename(Route.Request request) {
        Order order = Order.read(request.body(), Set.of("path", "target", "replace"));
        return changes.make(
                request,
                "rename",
                new Mutation.Rename(
                        order.path("path"), order.path("target"), order.flag("replace")));
    }

    // One command makes one change, so that it happens as a whole or not at all.
    private Answer change(Route.Request request) {
        Order order =
                Order.read(request.body(), Set.of("path", "mode", "owner", "group", "modified"));
        FsPath path = order.path("path");
        boolean owner = order.has("owner") || order.has("group");
        int kinds = count(order.has("mode")) + count(owner) + count(order.has("modified"));
        Order.require(
                kinds == 1,
                "one request changes either 'mode', or 'owner' and 'group', or 'modified'");
        if (owner) {
            return changes.make(request, "change owner", owner(order, path));
        }
        return order.has("mode")
                ? changes.make(
                        request, "change mode", new Mutation.SetMode(path, order.mode("mode")))
                : changes.make(request, "change time", new Mutation.SetModified(path, time(order)));
    }

    private static int count(boolean is) {
        return is ? 1 : 0;
    }

    private static Mutation.SetOwner owner(Order order, FsPath path) {
        return new Mutation.SetOwner(path, name(order, "owner"), name(order, "group"));
    }

    private static Optional<String> name(Order order, String member) {
        Optional<String> name = order.optionalText(member);
        Order.require(
                name.map(text -> !text.isBlank() && text.length() <= 255).orElse(true),
                "the member '%s' must be a name of at most 255 characters".formatted(member));
        return name;
    }

    private static Instant time(Order order) {
        String text = order.text("modified");
        try {
            Instant time = Instant.parse(text);
            // What the rows can hold: nanoseconds since 1970 in 63 bits.
            Order.require(
                    Math.abs((double) time.getEpochSecond()) < Long.MAX_VALUE / 1e9 - 1,
                    "'%s' is too far away".formatted(text));
            return time;
        } catch (DateTimeException e) {
            throw Order.refusal(
                    "the member 'modified' must be a time such as 2026-11-21T20:00:00Z, is '%s'"
                            .formatted(text));
        }
    }

    private Answer attributes(Route.Request request) {
        FsPath path = request.query().path();
        Map<String, Bytes> found = Waiting.on(namespace.attributes(request.caller(), path));
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("path", path.value());
        ArrayNode rows = node.putArray("attributes");
        found.forEach((name, value) -> rows.add(attribute(name, value)));
        return Answer.json(node);
    }

    private static ObjectNode attribute(String name, Bytes value) {
        ObjectNode row = JsonNodeFactory.instance.objectNode().put("name", name);
        byte[] bytes = value.toArray();
        try {
            return row.put(
                    "value",
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return row.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    private Answer setAttribute(Route.Request request) {
        Order order = Order.read(request.body(), Set.of("path", "name", "value", "base64"));
        Order.require(
                order.has("value") != order.has("base64"),
                "one of 'value' and 'base64' must be given");
        return changes.make(
                request,
                "set attribute",
                new Mutation.SetAttribute(
                        order.path("path"), order.text("name"), value(order), false));
    }

    private static Bytes value(Order order) {
        if (order.has("value")) {
            return Bytes.copyOf(order.text("value").getBytes(StandardCharsets.UTF_8));
        }
        try {
            return Bytes.copyOf(Base64.getDecoder().decode(order.text("base64")));
        } catch (IllegalArgumentException e) {
            throw Order.refusal("the member 'base64' is no base64");
        }
    }

    private Answer removeAttribute(Route.Request request) {
        return changes.make(
                request,
                "remove attribute",
                new Mutation.RemoveAttribute(
                        request.query().path(), request.query().required("name")));
    }

    private Answer checksum(Route.Request request) {
        FsPath path = request.query().path();
        FileStatus status = status(request.caller(), path);
        if (!status.isFile()) {
            throw new FsException(new FsError.IsDirectory(path + " is no file"));
        }
        if (status.underUpdate()) {
            throw new FsException(
                    new FsError.FileLocked(
                            path + " is being updated in place: its checksums do not hold"));
        }
        ObjectNode node =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("path", path.value())
                        .put("sizeBytes", status.sizeBytes())
                        .put("version", status.contentVersion());
        ObjectNode checksums = node.putObject("checksums");
        for (Checksum each : wanted(request.query(), path, status)) {
            checksums.put(each.type().word(), each.hex());
        }
        return Answer.json(node);
    }

    private static List<Checksum> wanted(Query query, FsPath path, FileStatus status) {
        if (!query.has("type")) {
            return status.checksums();
        }
        String word = query.required("type");
        ChecksumType type =
                ChecksumType.named(word)
                        .orElseThrow(
                                () -> Order.refusal("'%s' is no type of checksum".formatted(word)));
        return List.of(
                status.checksum(type)
                        .orElseThrow(() ->
                                new FsException(
                                        new FsError.NotFound(
                                                "no %s of %s is stored; 'xrdfs query checksum' has it calculated"
                                                        .formatted(type.word(), path)))));
    }

    private Answer space(Route.Request request) {
        FsPath path = request.query().path();
        return Answer.json(
                Documents.space(path, Waiting.on(namespace.space(request.caller(), path))));
    }
}
