package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.cepheus.fst.volume.Volume;
import org.junit.jupiter.api.Test;

final class ReadAheadTest {
    private static final long MIB = 1L << 20;
    private static final long OBJECT = 4 * MIB;
    private static final long SIZE = 100 * MIB;
    private static final int PIECE = 512 * 1024;

    private final ReadAhead local = new ReadAhead(SIZE, Volume.Striping.LOCAL);
    private final ReadAhead ceph = new ReadAhead(SIZE, new Volume.Striping(OBJECT, true));

    private static List<Span> inOrder(ReadAhead ahead, long from, long to, long piece) {
        var fetched = new ArrayList<Span>();
        for (long at = from; at < to; at += piece) {
            ahead.asked(at, Math.min(piece, to - at)).ifPresent(fetched::add);
        }
        return fetched;
    }

    @Test
    void nothingIsFetchedBeforeAnObjectWasReadInOrder() {
        assertThat(inOrder(local, 0, OBJECT - PIECE, PIECE)).isEmpty();
        assertThat(local.asked(OBJECT - PIECE, PIECE)).isPresent();
    }

    @Test
    void whoReadsInOrderIsAnObjectAheadOrThree() {
        inOrder(local, 0, OBJECT, PIECE);
        inOrder(ceph, 0, OBJECT, PIECE);

        assertThat(inOrder(local, OBJECT, 2 * OBJECT, PIECE))
                .containsExactly(new Span(3 * OBJECT, OBJECT));
        assertThat(inOrder(ceph, OBJECT, 2 * OBJECT, PIECE))
                .containsExactly(new Span(5 * OBJECT, OBJECT));
    }

    @Test
    void everyByteIsFetchedOnceAndNoneBeyondTheEnd() {
        List<Span> fetched = inOrder(ceph, 0, SIZE, PIECE);

        long at = fetched.getFirst().offset();
        for (Span range : fetched) {
            assertThat(range.offset()).isEqualTo(at);
            at += range.length();
        }
        assertThat(at).isEqualTo(SIZE);
    }

    @Test
    void aLittleGapIsInOrderToo() {
        var fetched = new ArrayList<Span>();
        for (long at = 0; at < 3 * OBJECT; at += PIECE + 1_000) {
            local.asked(at, PIECE).ifPresent(fetched::add);
        }

        assertThat(fetched).isNotEmpty();
    }

    @Test
    void whoJumpsAboutGetsNothing() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            assertThat(ceph.asked(random.nextLong(SIZE), random.nextLong(1, MIB))).isEmpty();
        }
    }

    @Test
    void whoReadsBackwardsGetsNothing() {
        for (long at = SIZE - PIECE; at >= 0; at -= PIECE) {
            assertThat(ceph.asked(at, PIECE)).isEmpty();
        }
    }

    @Test
    void severalStreamsOfAClientAreEachInOrder() {
        int streams = 4;
        long share = SIZE / streams;
        int[] fetched = new int[streams];
        for (long at = 0; at < share; at += PIECE) {
            for (int stream = 0; stream < streams; stream++) {
                fetched[stream] += local.asked(stream * share + at, PIECE).isPresent() ? 1 : 0;
            }
        }

        assertThat(Arrays.stream(fetched).boxed()).allMatch(count -> count >= share / OBJECT - 1);
    }
}
