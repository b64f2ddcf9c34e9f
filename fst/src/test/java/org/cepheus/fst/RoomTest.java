package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import org.cepheus.fst.volume.Volume.Space;
import org.junit.jupiter.api.Test;

final class RoomTest {
    private static final Space HALF = new Space(100, 50, "disk");
    private static final Space NONE = new Space(100, 0, "disk");

    private final Room half = Room.UNKNOWN.answered(HALF);

    @Test
    void whatAVolumeTellsIsBelieved() {
        assertThat(half.space()).isEqualTo(HALF);
        assertThat(half.answered(new Space(100, 1, "disk")).space().freeBytes()).isEqualTo(1);
        assertThat(Room.UNKNOWN.answered(NONE).space()).isEqualTo(NONE);
    }

    @Test
    void thatAllRoomIsGoneAtOnceIsBelievedTheSecondTime() {
        Room once = half.answered(NONE);

        assertThat(once.space()).isEqualTo(HALF);
        assertThat(once.answered(NONE).space()).isEqualTo(NONE);
        assertThat(once.answered(HALF).answered(NONE).space()).isEqualTo(HALF);
    }

    @Test
    void aVolumeThatFailsToAnswerKeepsItsRoomButIsNotUsable() {
        assertThat(half.silent()).isEqualTo(new Room(HALF, false, false));
        assertThat(half.silent().answered(HALF)).isEqualTo(half);
    }
}
