package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WritebackTest {
    private static final long OBJECT = 4L << 20;
    private static final long ODD_PIECE = 500_000;

    private final Writeback writeback = new Writeback(OBJECT);

    private List<Span> inOrder(long from, long to) {
        var spans = new ArrayList<Span>();
        for (long at = from; at < to; at += ODD_PIECE) {
            writeback.written(at, ODD_PIECE).ifPresent(spans::add);
        }
        return spans;
    }

    @Test
    void whatIsWrittenInOrderGoesBackInWholeObjectsEachOnce() {
        List<Span> spans = inOrder(0, 60 * OBJECT);

        long at = 0;
        for (Span span : spans) {
            assertThat(span.offset()).isEqualTo(at);
            assertThat(span.length() % OBJECT).as("whole objects").isZero();
            assertThat(span.length()).isLessThanOrEqualTo(Writeback.LEAST_BYTES + OBJECT);
            at += span.length();
        }
        assertThat(at).isGreaterThan(60 * OBJECT - Writeback.LEAST_BYTES - OBJECT);
    }

    @Test
    void anUpdateInTheMiddleBeginsWhereItBegins() {
        assertThat(inOrder(OBJECT + 7, 4 * OBJECT).getFirst().offset()).isEqualTo(OBJECT + 7);
    }

    @Test
    void manyWritesOfOneObjectWaitForItsEnd() {
        for (int i = 0; i < 100; i++) {
            assertThat(writeback.written(0, ODD_PIECE)).isEmpty();
        }
        assertThat(writeback.written(ODD_PIECE, OBJECT)).contains(new Span(0, OBJECT));
    }

    @Test
    void whatCameLateIsWrittenBackToo() {
        inOrder(2 * OBJECT, 6 * OBJECT);
        long before = 0;
        var late = new ArrayList<Span>();
        while (before < 2 * OBJECT) {
            writeback.written(before, ODD_PIECE).ifPresent(late::add);
            before += ODD_PIECE;
        }

        assertThat(late).isNotEmpty();
        assertThat(late.getFirst().offset()).isZero();
    }
}
