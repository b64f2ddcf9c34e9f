package org.cepheus.protocol.xrootd;

import java.time.Duration;
import java.time.Instant;
import org.cepheus.domain.FsError;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** What a server says of itself: {@code query config}, {@code query stats}, and what it refuses. */
final class ConfigAnswers {
    private static final int FIRST_OPAQUE = 16;

    private ConfigAnswers() {}

    /**
     * One line for each key; an unknown key is echoed. Clients separate the keys by newlines or
     * spaces.
     */
    static String answer(XrootdServerConfig config, boolean isDataServer, String keys) {
        var lines = new StringBuilder();
        for (String key : keys.strip().split("[\\s]+", -1)) {
            lines.append(value(config, isDataServer, key)).append('\n');
        }
        return lines.toString();
    }

    private static String value(XrootdServerConfig config, boolean isDataServer, String key) {
        return switch (key) {
            case "role" -> isDataServer ? "server" : "manager";
            case "sitename" -> config.siteName().isEmpty() ? key : config.siteName();
            case "chksum" -> "0:adler32,1:crc32c";
            case "readv_iov_max" -> Integer.toString(XrootdRequest.ReadMany.MAX_SEGMENTS);
            case "readv_ior_max" -> Integer.toString(XrootdRequest.ReadMany.MAX_SEGMENT_BYTES);
            case "fattr" ->
                    XrootdRequest.Attributes.MAX_NAME_BYTES
                            + " "
                            + XrootdRequest.Attributes.MAX_VALUE_BYTES;
            case "bind_max" -> isDataServer ? Integer.toString(Substreams.MAX_STREAMS) : "0";
            default -> key;
        };
    }

    /**
     * Little more than that it is up, and what the client has said of itself; the metrics of the
     * admin port have the rest.
     */
    static String statistics(ServerContext context, ClientNotes asking) {
        XrootdServerConfig config = context.config();
        return ("<statistics tod=\"%d\" ver=\"5.1.1\" src=\"%s:%d\" pgm=\"cepheus\" site=\"%s\">"
                        + "<stats id=\"info\"><host>%s</host><port>%d</port></stats>"
                        + "<stats id=\"link\"><num>%d</num></stats>"
                        + "%s</statistics>")
                .formatted(
                        Duration.between(Instant.EPOCH, Instant.now()).toSeconds(),
                        config.advertisedHost(),
                        config.port(),
                        config.siteName(),
                        config.advertisedHost(),
                        config.port(),
                        context.sessions().count(),
                        asking.toXml());
    }

    /** Why a type of query has no answer. */
    static FsError notServed(int type) {
        return new FsError.Unsupported(
                type >= FIRST_OPAQUE
                        ? "opaque queries are for plug-ins, of which this server has none"
                        : "query type %d is not served here".formatted(type));
    }
}
