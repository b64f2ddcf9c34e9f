package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.junit.jupiter.api.Test;

/** What a client says of servers that refused it before it came (back) here. */
class RequestTargetTest {
    @Test
    void takesTheLastReasonAsTheLeadersAnswer() {
        var target = RequestTarget.parse("/a?tried=h1,h2&triedrc=ioerr,enoent");

        assertThat(target.refusedElsewhere(false)).hasValue(ErrorCode.NOT_FOUND);
        assertThat(target.refusedElsewhere(true)).hasValue(ErrorCode.NOT_FOUND);
    }

    @Test
    void letsTheLeaderFindAnotherFstUntilMany() {
        var once = RequestTarget.parse("/a?tried=h1&triedrc=ioerr");
        var often = RequestTarget.parse("/a?tried=h&triedrc=" + "srverr,".repeat(23) + "ioerr");

        assertThat(once.refusedElsewhere(true)).isEmpty();
        assertThat(once.refusedElsewhere(false)).hasValue(ErrorCode.IO_ERROR);
        assertThat(often.refusedElsewhere(true)).hasValue(ErrorCode.IO_ERROR);
    }

    @Test
    void hasPatienceWhileALeaderCannotBeReached() {
        var some = RequestTarget.parse("/a?tried=h,h,h,h&triedrc=srverr,srverr,srverr,srverr");
        var many = RequestTarget.parse("/a?tried=h&triedrc=" + "srverr,".repeat(23) + "srverr");

        assertThat(some.refusedElsewhere(false)).isEmpty();
        assertThat(many.refusedElsewhere(false)).hasValue(ErrorCode.SERVER_ERROR);
    }

    @Test
    void knowsNothingOfAClientThatComesFirst() {
        assertThat(RequestTarget.parse("/a").refusedElsewhere(false)).isEmpty();
        assertThat(RequestTarget.parse("/a?tried=h&triedrc=what").refusedElsewhere(false))
                .isEmpty();
    }
}
