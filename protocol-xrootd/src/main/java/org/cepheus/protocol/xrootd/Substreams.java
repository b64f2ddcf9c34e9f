package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** The streams of one session beside its first, by their path ids. Owned by the event loop. */
final class Substreams {
    /** The most of one session, as in the C++ server. */
    static final int MAX_STREAMS = 15;

    private static final int RETRY_SECONDS = 5;

    private final Map<Integer, Substream> byPathId = new TreeMap<>();

    /**
     * Gives the connection the smallest free path id, from 1.
     *
     * @throws FsException Overloaded when the session has too many
     */
    Substream bind(XrootdConnection own, XrootdConnection session) {
        int pathId = 1;
        while (byPathId.containsKey(pathId)) {
            pathId++;
        }
        if (pathId > MAX_STREAMS) {
            throw new FsException(
                    new FsError.Overloaded(
                            "a session has at most %d streams beside its first"
                                    .formatted(MAX_STREAMS),
                            RETRY_SECONDS));
        }
        var stream = new Substream(own, session, this, pathId);
        byPathId.put(pathId, stream);
        return stream;
    }

    /**
     * The stream of a path id that is not 0.
     *
     * @throws FsException InvalidArgument
     */
    Substream get(int pathId) {
        return Optional.ofNullable(byPathId.get(pathId))
                .orElseThrow(() ->
                        new FsException(
                                new FsError.InvalidArgument(
                                        "no stream %d is bound to this session"
                                                .formatted(pathId))));
    }

    void remove(Substream stream) {
        byPathId.remove(stream.pathId());
    }

    void closeAll() {
        List<Substream> all = new ArrayList<>(byPathId.values());
        byPathId.clear();
        all.forEach(Substream::close);
    }
}
