package org.cepheus.admin;

import java.util.List;
import java.util.Set;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.DownloadService;
import org.cepheus.domain.port.DownloadService.Downloads;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Files that are being read at the FSTs. No log knows them: what is ended is ended there. */
final class DownloadRoutes {
    private static final Listing DOWNLOADS =
            new Listing(
                    "downloads",
                    Set.of(
                            "fst",
                            "number",
                            "path",
                            "user",
                            "client",
                            "since",
                            "sizeBytes",
                            "readBytes",
                            "trace"),
                    List.of("since", "fst", "number"));

    private static final String END = "end download";

    private final DownloadService downloads;
    private final Audit audit;

    DownloadRoutes(DownloadService downloads, Audit audit) {
        this.downloads = downloads;
        this.audit = audit;
    }

    List<Route> routes() {
        return List.of(
                Route.list("/downloads", this::list),
                Route.of("DELETE", "/downloads/{fst}/{download}", this::end));
    }

    private Answer list(Route.Request request) {
        Downloads found = Waiting.on(downloads.downloads(request.caller()));
        ObjectNode page =
                DOWNLOADS.page(
                        found.oldest().stream().map(Documents::download).toList(), request.query());
        page.put("leftOut", found.leftOut());
        ArrayNode silent = page.putArray("silentFsts");
        found.silentFsts().forEach(silent::add);
        return Answer.json(page);
    }

    private Answer end(Route.Request request) {
        int fst = request.smallNumber("fst");
        long number = request.number("download");
        String object = "%d/%d".formatted(fst, number);
        try {
            Waiting.on(downloads.endDownload(request.caller(), fst, number).thenApply(_ -> true));
        } catch (FsException e) {
            throw new Refusal(END, object, e.error());
        }
        audit.allowed(request.caller(), END, object);
        return Answer.done();
    }
}
