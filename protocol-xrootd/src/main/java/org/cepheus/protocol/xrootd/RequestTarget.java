package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.cepheus.domain.FsPath;
import org.cepheus.protocol.xrootd.wire.ErrorCode;

/**
 * A path as requests carry it: the path itself and the CGI after the question mark. The CGI may
 * hold credentials and is never logged.
 */
record RequestTarget(FsPath path, Map<String, String> cgi) {
    /** The ticket that a redirect adds and the client brings to the FST. */
    static final String TICKET = "cph.tkt";

    /** So often may servers fail one request before the last error is final: an election fits. */
    private static final int MAX_TRIED = 24;

    RequestTarget {
        cgi = Map.copyOf(cgi);
    }

    /**
     * Reads the target; the last of repeated keys counts, as clients append.
     *
     * @throws org.cepheus.domain.FsException as {@link FsPath#parse}
     */
    static RequestTarget parse(String raw) {
        int mark = raw.indexOf('?');
        return mark < 0
                ? new RequestTarget(FsPath.parse(raw), Map.of())
                : new RequestTarget(
                        FsPath.parse(raw.substring(0, mark)), pairs(raw.substring(mark + 1)));
    }

    private static Map<String, String> pairs(String text) {
        var pairs = new LinkedHashMap<String, String>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && text.charAt(end) != '&' && text.charAt(end) != '?') {
                end++;
            }
            int equals = text.indexOf('=', start, end);
            if (equals > start) {
                pairs.put(text.substring(start, equals), text.substring(equals + 1, end));
            }
            start = end + 1;
        }
        return pairs;
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(cgi.get(key));
    }

    Optional<String> ticket() {
        return value(TICKET).filter(ticket -> !ticket.isEmpty());
    }

    /** Hosts that the client says have just failed it. */
    List<String> triedHosts() {
        var hosts = new ArrayList<String>();
        for (String host : value("tried").orElse("").split(",", -1)) {
            if (!host.isEmpty() && !host.startsWith("+")) {
                hosts.add(host);
            }
        }
        return hosts;
    }

    /**
     * The error that the last server gave this client, by its {@code triedrc}. A client that began
     * at a follower and is refused by the leader comes back here with it: sending it to the leader
     * again would never end.
     *
     * @param fsts true if the last server may have been an FST that failed, of which the leader
     *     knows another
     */
    OptionalInt refusedElsewhere(boolean fsts) {
        String[] reasons = value("triedrc").orElse("").split(",", -1);
        boolean often = reasons.length >= MAX_TRIED;
        return switch (reasons[reasons.length - 1]) {
            case "enoent" -> OptionalInt.of(ErrorCode.NOT_FOUND);
            case "fserr" -> OptionalInt.of(ErrorCode.FS_ERROR);
            case "ioerr" ->
                    fsts && !often ? OptionalInt.empty() : OptionalInt.of(ErrorCode.IO_ERROR);
            // A server that cannot be reached: another one will lead soon.
            case "srverr" -> often ? OptionalInt.of(ErrorCode.SERVER_ERROR) : OptionalInt.empty();
            default -> OptionalInt.empty();
        };
    }

    /**
     * The FST that just failed the client: the one of the ticket it still has, if it was tried. The
     * text of a ticket starts with the number of its FST and a dot.
     */
    List<Integer> triedFsts() {
        if (triedHosts().isEmpty()) {
            return List.of();
        }
        String ticket = ticket().orElse("");
        int dot = ticket.indexOf('.');
        boolean numbered =
                dot > 0 && dot < 10 && ticket.chars().limit(dot).allMatch(Character::isDigit);
        return numbered ? List.of(Integer.parseInt(ticket.substring(0, dot))) : List.of();
    }
}
