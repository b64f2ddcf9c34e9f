package org.cepheus.protocol.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class PageLayoutTest {
    @Test
    void firstAndLastPageMayBeShort() {
        assertThat(PageLayout.pages(4095, 2)).isEqualTo(2);
        assertThat(PageLayout.wireBytes(4095, 2)).isEqualTo(10);
        assertThat(PageLayout.wireBytes(0, 8 << 20)).isEqualTo(8_396_800);
        assertThat(PageLayout.wireBytes(0, 0)).isZero();
    }

    @Test
    void dataAndWireBytesAreEachOthersInverse() {
        var random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            long offset = random.nextLong(1L << 40);
            int length = random.nextInt(20_000);

            assertThat(PageLayout.dataBytes(offset, PageLayout.wireBytes(offset, length)))
                    .isEqualTo(length);
        }
    }

    @Test
    void unitsThatEndInAChecksumAreNone() {
        for (int bytes = 1; bytes <= 4; bytes++) {
            assertThat(PageLayout.dataBytes(0, bytes)).isEqualTo(-1);
            assertThat(PageLayout.dataBytes(0, 4100 + bytes)).isEqualTo(-1);
        }
        assertThat(PageLayout.dataBytes(4000, 100)).isEqualTo(96);
        assertThat(PageLayout.dataBytes(4000, 101)).isEqualTo(-1);
    }
}
