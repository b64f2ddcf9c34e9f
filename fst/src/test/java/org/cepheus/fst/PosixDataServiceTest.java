package org.cepheus.fst;

import java.nio.file.Path;
import java.util.UUID;
import org.cepheus.domain.FsError;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.PosixVolume;
import org.cepheus.fst.volume.Volume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a directory. */
final class PosixDataServiceTest extends DataServiceContract {
    private static final UUID CLUSTER = TestTickets.CLUSTER;

    @TempDir Path root;

    @Override
    Volume makeVolume() {
        return PosixVolume.open(1, root, CLUSTER, true);
    }

    @Test
    void anUploadOfAnEarlierRunIsNotContinued() throws Exception {
        volume.create(new ContentId(ID, 0)).close();

        assertRefused(
                () -> get(open(declaring(3)).write(0, bytes("abc"))),
                FsError.LeaseGone.class,
                "before this FST was restarted");
    }
}
