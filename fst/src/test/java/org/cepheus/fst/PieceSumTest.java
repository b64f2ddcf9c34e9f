package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PieceSumTest {
    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theSumOfTwoPiecesIsTheSumOfTheWhole(long seed) {
        var random = new Random(seed);
        byte[] whole = new byte[random.nextInt(1, 200_000)];
        random.nextBytes(whole);
        int cut = random.nextInt(whole.length + 1);

        PieceSum first = PieceSum.of(ByteBuffer.wrap(whole, 0, cut));
        PieceSum second = PieceSum.of(ByteBuffer.wrap(whole, cut, whole.length - cut));

        assertThat(first.then(second)).isEqualTo(PieceSum.of(ByteBuffer.wrap(whole)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void piecesInAnyOrderGiveTheWhole(long seed) {
        var random = new Random(seed);
        byte[] whole = new byte[random.nextInt(1, 50_000)];
        random.nextBytes(whole);
        var cuts = new TreeSet<Integer>();
        for (int i = 0; i < 20; i++) {
            cuts.add(random.nextInt(whole.length));
        }
        cuts.add(0);
        var order = new ArrayList<>(cuts);
        Collections.shuffle(order, random);
        var sums = new ContentSums();

        for (int start : order) {
            Integer next = cuts.higher(start);
            int end = next == null ? whole.length : next;
            assertThat(sums.whole(whole.length)).isEmpty();
            sums.add(start, PieceSum.of(ByteBuffer.wrap(whole, start, end - start)));
        }

        assertThat(sums.whole(whole.length)).contains(PieceSum.of(ByteBuffer.wrap(whole)));
        sums.add(0, PieceSum.of(ByteBuffer.wrap(whole, 0, 1)));
        assertThat(sums.whole(whole.length)).isEmpty();
    }
}
