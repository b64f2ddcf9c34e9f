package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.DataFile;
import org.cepheus.fst.volume.MemoryVolume;
import org.cepheus.fst.volume.Volume;
import org.junit.jupiter.api.Test;

/** The contract on memory, and failures of storage that only memory has to order. */
final class MemoryDataServiceTest extends DataServiceContract {
    private final MemoryVolume memory = new MemoryVolume(1, "memory", 1 << 20);

    @Override
    Volume makeVolume() {
        return memory;
    }

    @Test
    void aFullDiskLeavesNothing() throws Exception {
        DataFile file = open(TestTickets.writing(ID, OptionalLong.empty(), 4 << 20));
        get(file.write(0, bytes("abc")));

        assertRefused(
                () -> get(file.write(3, ByteBuffer.allocate(2 << 20))),
                FsError.NoSpace.class,
                "no space left for /atlas/run7: volume 1 has");
        assertRefused(() -> get(file.commit(List.of())), FsError.NoSpace.class, "bytes free");
        assertNothingIsLeft(ID);
        assertThat(memory.count()).isZero();
    }

    @Test
    void theFirstSyncErrorSticksAlthoughTheNextSyncSucceeds() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abc")));
        memory.failNextSync(new FsError.NoSpace("the cluster is full"));
        assertRefused(
                () -> get(file.sync()), FsError.NoSpace.class, "no space left for /atlas/run7");

        assertRefused(
                () -> get(file.commit(List.of())),
                FsError.NoSpace.class,
                "no space left for /atlas/run7");
        assertNothingIsLeft(ID);
    }

    @Test
    void aFailedSyncAtCommitLeavesNothing() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abc")));
        memory.failNextSync(new FsError.IoFailure("EIO"));

        assertRefused(
                () -> get(file.commit(List.of())),
                FsError.IoFailure.class,
                "/atlas/run7 was written");
        assertNothingIsLeft(ID);
    }

    @Test
    void aDataFileSaysWhoseItIs() throws Exception {
        DataFile file = open(declaring(3));
        get(file.write(0, bytes("abc")));
        get(file.commit(List.of()));

        assertThat(memory.note(ID).orElseThrow().toText())
                .contains("inode=77", "dataId=4711", "size=3", "adler32:024d0127");
    }
}
