package org.cepheus.protocol.http;

import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;

/**
 * WebDAV's {@code If} header (RFC 4918 section 10.4) at a server without locks: no state token ever
 * matches, entity tags are compared. A list for another resource never holds.
 */
final class IfHeader {
    private final String text;
    private final FsPath target;
    private final String tag;
    private int at;

    private IfHeader(String text, FsPath target, String tag) {
        this.text = text;
        this.target = target;
        this.tag = tag;
    }

    /**
     * True if one of its lists holds.
     *
     * @param tag the entity tag of the target; empty if it has none
     * @throws FsException InvalidArgument if it cannot be read
     */
    static boolean holds(String header, FsPath target, String tag) {
        return new IfHeader(header, target, tag).anyList();
    }

    private boolean anyList() {
        boolean any = false;
        boolean concerned = true;
        while (!isAtEnd()) {
            char c = text.charAt(at);
            if (c == '<') {
                concerned = RequestTarget.parse(upTo('>')).path().equals(target);
            } else if (c == '(') {
                any |= list() && concerned;
            } else {
                throw unreadable();
            }
        }
        return any;
    }

    /** All conditions of one list. */
    private boolean list() {
        at++;
        boolean all = true;
        while (!isAtEnd() && text.charAt(at) != ')') {
            boolean negated = text.regionMatches(true, at, "Not", 0, 3);
            at += negated ? 3 : 0;
            if (isAtEnd()) {
                break;
            }
            boolean holds =
                    switch (text.charAt(at)) {
                        case '<' -> {
                            upTo('>');
                            yield false;
                        }
                        case '[' -> upTo(']').equals(tag);
                        default -> throw unreadable();
                    };
            all &= holds != negated;
        }
        if (isAtEnd()) {
            throw unreadable();
        }
        at++;
        return all;
    }

    /** What stands between here and the closing mark; goes behind it. */
    private String upTo(char closing) {
        int end = text.indexOf(closing, at);
        if (end < 0) {
            throw unreadable();
        }
        String inside = text.substring(at + 1, end);
        at = end + 1;
        return inside;
    }

    private boolean isAtEnd() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at == text.length();
    }

    private static FsException unreadable() {
        return new FsException(
                new FsError.InvalidArgument("the If header is not as RFC 4918 section 10.4 says"));
    }
}
