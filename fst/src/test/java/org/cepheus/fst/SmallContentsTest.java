package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.MemoryVolume;
import org.cepheus.fst.volume.VolumeFile;
import org.junit.jupiter.api.Test;

final class SmallContentsTest {
    private final SmallContents contents = new SmallContents();
    private final VolumeFile file = new MemoryVolume(1, "v", 1 << 20).create(new ContentId(7, 0));

    @Test
    void aContentIsThereWhole() {
        file.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));

        assertThat(contents.load(file, 3)).contains(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(contents.held()).isEqualTo(1);
    }

    @Test
    void aLongOneIsLeftWhereItIs() {
        file.write(0, ByteBuffer.allocate(SmallContents.MAX_BYTES + 1));

        assertThat(contents.load(file, SmallContents.MAX_BYTES)).isPresent();
        assertThat(contents.load(file, SmallContents.MAX_BYTES + 1)).isEmpty();
    }

    @Test
    void soManyAreHeldAndNoMore() {
        file.write(0, ByteBuffer.wrap(new byte[] {1}));
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < SmallContents.MAX_HELD; i++) {
            held.add(contents.load(file, 1).orElseThrow());
        }

        assertThat(contents.load(file, 1)).isEmpty();

        contents.giveBack(held.getFirst());
        assertThat(contents.load(file, 1)).isPresent();
    }

    @Test
    void oneThatBecameShorterTakesNoRoom() {
        file.write(0, ByteBuffer.wrap(new byte[] {1, 2}));

        assertThat(contents.load(file, 3)).isEqualTo(Optional.empty());
        assertThat(contents.held()).isZero();
    }
}
