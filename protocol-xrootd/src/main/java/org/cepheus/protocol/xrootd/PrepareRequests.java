package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/**
 * Answers prepare and the query for its state. Everything is on disk, so that a request is done
 * when it is answered and nothing has to be remembered of it: its id is made from the trace id.
 */
final class PrepareRequests {
    private static final String ID_PREFIX = "disk-";

    private final NamespaceService namespace;

    PrepareRequests(NamespaceService namespace) {
        this.namespace = namespace;
    }

    /** Stage and evict find their files; cancel has nothing to stop. */
    void prepare(Exchange exchange, XrootdRequest.Prepare request) {
        if (request.isCancel()) {
            checkId(firstLine(request.paths()));
            exchange.ok();
            return;
        }
        List<FsPath> paths = EachPath.parse("prepare", request.paths());
        if (paths.isEmpty()) {
            throw new FsException(new FsError.InvalidArgument("prepare needs a path"));
        }
        exchange.concerns(paths.getFirst().value(), Exchange.Told.FORBIDDEN);
        EachPath.visit(
                namespace,
                exchange,
                paths,
                new EachPath.Visitor() {
                    @Override
                    public void found(FsPath path, FileStatus status) {}

                    @Override
                    public boolean goesOnAfter(FsPath path, FsError error) {
                        return false;
                    }

                    @Override
                    public void end() {
                        prepared(exchange, request);
                    }
                });
    }

    private static void prepared(Exchange exchange, XrootdRequest.Prepare request) {
        if (request.isStage() && !request.isEvict()) {
            exchange.bareText(ID_PREFIX + exchange.caller().trace());
        } else {
            exchange.ok();
        }
    }

    /** The argument is an id and the paths that are asked for; the answer is JSON. */
    void query(Exchange exchange, String argument) {
        String id = firstLine(argument);
        checkId(id);
        List<FsPath> paths = EachPath.parse("query prepare", argument.substring(id.length()));
        var states = new ArrayList<String>();
        EachPath.visit(
                namespace,
                exchange,
                paths,
                new EachPath.Visitor() {
                    @Override
                    public void found(FsPath path, FileStatus status) {
                        states.add(state(path, status.isFile(), ""));
                    }

                    @Override
                    public boolean goesOnAfter(FsPath path, FsError error) {
                        states.add(state(path, false, error.message()));
                        return error instanceof FsError.NotFound
                                || error instanceof FsError.NotDirectory
                                || error instanceof FsError.PermissionDenied;
                    }

                    @Override
                    public void end() {
                        answer(exchange, id, states);
                    }
                });
    }

    private static void answer(Exchange exchange, String id, List<String> states) {
        exchange.bareText(
                "{\"request_id\":\"%s\",\"responses\":[%s]}"
                        .formatted(id, String.join(",", states)));
    }

    /** The fields that gfal2 and the tape systems' clients look at. */
    private static String state(FsPath path, boolean isOnline, String error) {
        return ("{\"path\":%s,\"path_exists\":%b,\"on_tape\":false,\"online\":%b,"
                        + "\"requested\":false,\"has_reqid\":false,\"req_time\":\"\",\"error_text\":%s}")
                .formatted(quoted(path.value()), error.isEmpty(), isOnline, quoted(error));
    }

    private static String quoted(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private static void checkId(String id) {
        boolean isOurs =
                id.length() == ID_PREFIX.length() + 16
                        && id.startsWith(ID_PREFIX)
                        && id.substring(ID_PREFIX.length())
                                .chars()
                                .allMatch(c -> Character.digit(c, 16) >= 0);
        if (!isOurs) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "'%.40s' is no request id of this server; prepare -s answers one"
                                    .formatted(id)));
        }
    }
}
