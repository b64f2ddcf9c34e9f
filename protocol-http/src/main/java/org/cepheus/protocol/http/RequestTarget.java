package org.cepheus.protocol.http;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;

/**
 * The target of a request: a path, and a query of which only the words of {@link #query} matter.
 *
 * @param raw path and query as they were sent
 */
record RequestTarget(FsPath path, boolean endsWithSlash, String rawQuery, String raw) {
    /** The query word that carries a ticket. */
    static final String TICKET = "cph.tkt";

    /** Marks a URL that an FST sent back to the MGM, by the second it did. */
    static final String RETRY = "cph.retry";

    /** The authority a client spoke to before it was redirected to the leader. */
    static final String VIA = "cph.via";

    /** Stands for {@code OPTIONS *}. */
    static final RequestTarget ANY = new RequestTarget(FsPath.ROOT, true, "", "*");

    /**
     * Reads the origin form or the absolute form (RFC 9112 section 3.2).
     *
     * @throws FsException InvalidArgument, TooLong
     */
    static RequestTarget parse(String target) {
        String raw = isAbsolute(target) ? withoutAuthority(target) : target;
        if (raw.indexOf('#') >= 0) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "the URL has a fragment; send a '#' of a name as %23"));
        }
        int question = raw.indexOf('?');
        String encoded = question < 0 ? raw : raw.substring(0, question);
        String query = question < 0 ? "" : raw.substring(question + 1);
        String decoded = PercentCoding.decode(encoded);
        return new RequestTarget(FsPath.parse(decoded), decoded.endsWith("/"), query, raw);
    }

    /** The {@code host:port} of an absolute URL; empty for a path. */
    static String authority(String url) {
        if (!isAbsolute(url)) {
            return "";
        }
        int start = url.indexOf("://") + 3;
        return url.substring(start, endOfAuthority(url, start));
    }

    private static boolean isAbsolute(String url) {
        return url.regionMatches(true, 0, "http://", 0, 7)
                || url.regionMatches(true, 0, "https://", 0, 8);
    }

    private static String withoutAuthority(String url) {
        int end = endOfAuthority(url, url.indexOf("://") + 3);
        String rest = url.substring(end);
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    private static int endOfAuthority(String url, int start) {
        for (int i = start; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c == '/' || c == '?' || c == '#') {
                return i;
            }
        }
        return url.length();
    }

    /** The value of a word in the query. */
    Optional<String> query(String word) {
        for (int start = 0; start < rawQuery.length(); ) {
            int end = rawQuery.indexOf('&', start);
            end = end < 0 ? rawQuery.length() : end;
            if (rawQuery.startsWith(word + "=", start)) {
                return Optional.of(
                        PercentCoding.decode(rawQuery.substring(start + word.length() + 1, end)));
            }
            start = end + 1;
        }
        return Optional.empty();
    }

    /** An absolute URL of the path at some server. */
    static String url(String host, int port, FsPath path, String query) {
        String name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        String tail = query.isEmpty() ? "" : "?" + query;
        return "http://" + name + ":" + port + PercentCoding.encode(path.value()) + tail;
    }
}
