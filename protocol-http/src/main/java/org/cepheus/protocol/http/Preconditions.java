package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.command.Mutation;

/**
 * The preconditions of a request, in the order of RFC 9110 section 13.2.2. Dates that cannot be
 * read count as absent, as the RFC says. A header that is sent several times is one list.
 */
final class Preconditions {
    private static final String IF = "If";

    private static final CharSequence[] HEADERS = {
        HttpHeaderNames.IF_MATCH,
        HttpHeaderNames.IF_NONE_MATCH,
        HttpHeaderNames.IF_MODIFIED_SINCE,
        HttpHeaderNames.IF_UNMODIFIED_SINCE,
        IF
    };

    /** What the preconditions say. */
    enum Verdict {
        GO_ON,
        /** 304: the client has it already. */
        UNCHANGED,
        /** 412: nothing is done. */
        FAILED
    }

    private Preconditions() {}

    /** True if the state of the target matters; looks at nothing but the headers. */
    static boolean arePresent(HttpHeaders headers) {
        for (CharSequence name : HEADERS) {
            if (headers.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** The verdict of a method that changes an entry, or a name that is free. */
    static Verdict of(Exchange exchange, Optional<FileStatus> there) {
        HttpHeaders headers = exchange.headers();
        String tag = there.filter(FileStatus::isFile).map(Entities::tag).orElse("");
        if (headers.contains(IF)
                && !IfHeader.holds(headers.get(IF), exchange.target().path(), tag)) {
            return Verdict.FAILED;
        }
        if (there.isEmpty()) {
            return headers.contains(HttpHeaderNames.IF_MATCH) ? Verdict.FAILED : Verdict.GO_ON;
        }
        return of(headers, false, tag, there.get().modified());
    }

    /**
     * The verdict for something that is there.
     *
     * @param reading true for GET and HEAD
     * @param tag its entity tag with quotes; empty for a directory
     */
    static Verdict of(HttpHeaders headers, boolean reading, String tag, Instant modified) {
        if (headers.contains(HttpHeaderNames.IF_MATCH)) {
            if (!names(list(headers, HttpHeaderNames.IF_MATCH), tag, false)) {
                return Verdict.FAILED;
            }
        } else if (date(headers, HttpHeaderNames.IF_UNMODIFIED_SINCE)
                .filter(date -> seconds(modified).isAfter(date))
                .isPresent()) {
            return Verdict.FAILED;
        }
        if (headers.contains(HttpHeaderNames.IF_NONE_MATCH)) {
            if (names(list(headers, HttpHeaderNames.IF_NONE_MATCH), tag, true)) {
                return reading ? Verdict.UNCHANGED : Verdict.FAILED;
            }
        } else if (reading
                && date(headers, HttpHeaderNames.IF_MODIFIED_SINCE)
                        .filter(date -> !seconds(modified).isAfter(date))
                        .isPresent()) {
            return Verdict.UNCHANGED;
        }
        return Verdict.GO_ON;
    }

    /** Answers what the verdict says; the headers describe what is there. */
    static void answer(Exchange exchange, Verdict verdict, HttpHeaders headers) {
        headers.remove(HttpHeaderNames.CONTENT_TYPE);
        switch (verdict) {
            case GO_ON -> throw new IllegalStateException("nothing is against it");
            case UNCHANGED -> {
                exchange.begin(HttpResponseStatus.NOT_MODIFIED, headers);
                exchange.end();
            }
            case FAILED ->
                    exchange.answer(
                            HttpResponseStatus.PRECONDITION_FAILED,
                            headers,
                            "%s is not as the request's If- headers demand: nothing was done; read it again\ntrace: %s\n"
                                    .formatted(
                                            exchange.target().path(), exchange.caller().trace()));
        }
    }

    /**
     * The version of the content that an upload may replace, if the client named just one: it is
     * checked again when the upload commits.
     */
    static OptionalLong versionToReplace(HttpHeaders headers) {
        return Entities.version(headers.get(HttpHeaderNames.IF_MATCH, "").strip());
    }

    /** The change as a command that looks at the version again, if the client named just one. */
    static Mutation guarded(Exchange exchange, Mutation change) {
        OptionalLong version = versionToReplace(exchange.headers());
        return version.isPresent() ? new Mutation.IfVersion(version.getAsLong(), change) : change;
    }

    /**
     * True if a range may be served: the client has parts of this very content (section 13.1.5).
     */
    static boolean allowRange(HttpHeaders headers, String tag, Instant modified) {
        String only = headers.get(HttpHeaderNames.IF_RANGE, "").strip();
        return only.isEmpty()
                || only.equals(tag)
                || HttpDates.parse(only).filter(seconds(modified)::equals).isPresent();
    }

    /** Headers count in seconds. */
    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private static Optional<Instant> date(HttpHeaders headers, CharSequence name) {
        return HttpDates.parse(headers.get(name, ""));
    }

    private static String list(HttpHeaders headers, CharSequence name) {
        return String.join(",", headers.getAll(name));
    }

    /** True if a list of entity tags names this one. Tags are quoted and may contain commas. */
    private static boolean names(String list, String tag, boolean weakly) {
        if (list.strip().equals("*")) {
            return true;
        }
        for (int start = list.indexOf('"'); start >= 0; ) {
            int end = list.indexOf('"', start + 1);
            if (end < 0) {
                return false;
            }
            boolean weak = start >= 2 && list.startsWith("W/", start - 2);
            if ((weakly || !weak)
                    && tag.length() == end + 1 - start
                    && list.startsWith(tag, start)) {
                return true;
            }
            start = list.indexOf('"', end + 1);
        }
        return false;
    }
}
