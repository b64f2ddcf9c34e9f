package org.cepheus.protocol.xrootd.wire;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.codec.Bytes;

/**
 * A server's answer as data. Bulk answers (read, pgread) are not here: their header is written and
 * read by {@link ResponseCodec}, their bytes pass beside.
 */
public sealed interface XrootdResponse {
    int OK = 0;
    int OK_SO_FAR = 4000;
    int ATTENTION = 4001;
    int AUTH_MORE = 4002;
    int ERROR = 4003;
    int REDIRECT = 4004;
    int WAIT = 4005;
    int WAIT_RESPONSE = 4006;
    int STATUS = 4007;

    /** The action number of an answer that was announced by {@link #WAIT_RESPONSE}. */
    int ASYNC_RESPONSE = 5008;

    /** Done; what the body means depends on the request. */
    record Ok(Bytes body) implements XrootdResponse {}

    /** A part; more follow. */
    record OkSoFar(Bytes body) implements XrootdResponse {}

    record AuthMore(Bytes challenge) implements XrootdResponse {}

    record Failed(int code, String text) implements XrootdResponse {}

    /**
     * Repeat it there, with the opaque text merged into the CGI. A negative port means that the
     * host is a whole URL.
     */
    record Redirect(int port, String host, String opaque) implements XrootdResponse {}

    record Wait(int seconds, String text) implements XrootdResponse {}

    record WaitForResponse(int seconds) implements XrootdResponse {}

    /** The late answer to the request of that stream. */
    record Late(int streamId, XrootdResponse answer) implements XrootdResponse {}

    /** Anything else that a server may say unasked; ignored. */
    record Attention(int action) implements XrootdResponse {}

    /** The answer to a pgwrite: where it went, and the pages that arrived damaged. */
    record PagesWritten(long offset, List<Damaged> damaged) implements XrootdResponse {
        public PagesWritten {
            damaged = List.copyOf(damaged);
        }

        /** A page to be sent again. */
        public record Damaged(long offset, int length) {}
    }

    /** The head of one part of a pgread answer; {@code dataBytes} of units follow. */
    record Pages(long offset, int wireBytes, boolean isLast) implements XrootdResponse {}

    /** The body of the answer to open. */
    record Opened(int handle, Optional<StatText> stat) {}

    /** The body of the answer to protocol. */
    record Served(int version, int flags) {}

    /** The body of the answer to login; the security text is empty when no more is needed. */
    record LoggedIn(Bytes session, String security) {}
}
