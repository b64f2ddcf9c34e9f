package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Instant;
import java.util.OptionalLong;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.Ticket;

/** The headers that describe a file. */
final class Entities {
    private Entities() {}

    /** Changes with each content. */
    static String tag(FileStatus status) {
        return tag(status.inode(), status.contentVersion());
    }

    static String tag(Ticket ticket) {
        return tag(ticket.inode(), ticket.contentVersion());
    }

    private static String tag(long inode, long version) {
        return "\"" + Long.toHexString(inode) + "-" + Long.toHexString(version) + "\"";
    }

    /** The version in one entity tag of ours; empty for any other text. */
    static OptionalLong version(String tag) {
        int dash = tag.indexOf('-');
        if (dash < 0 || !tag.startsWith("\"") || !tag.endsWith("\"")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(tag, dash + 1, tag.length() - 1, 16));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return OptionalLong.empty();
        }
    }

    static void addTag(FileStatus status, HttpHeaders headers) {
        headers.set(HttpHeaderNames.ETAG, tag(status));
    }

    /**
     * Describes a file's bytes. They are nobody's web page: a browser must save them and not run
     * them.
     */
    static void describe(String tag, Instant modified, HttpHeaders headers) {
        headers.set(HttpHeaderNames.ETAG, tag);
        headers.set(HttpHeaderNames.LAST_MODIFIED, HttpDates.format(modified));
        headers.set(HttpHeaderNames.ACCEPT_RANGES, "bytes");
        headers.set(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
        headers.set("X-Content-Type-Options", "nosniff");
    }
}
