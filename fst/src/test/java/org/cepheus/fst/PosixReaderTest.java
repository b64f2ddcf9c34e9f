package org.cepheus.fst;

import java.nio.file.Path;
import org.cepheus.fst.volume.PosixVolume;
import org.cepheus.fst.volume.Volume;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a directory. */
final class PosixReaderTest extends ReaderContract {
    @TempDir private Path root;

    @Override
    Volume makeVolume() {
        return PosixVolume.open(1, root, TestTickets.CLUSTER, true);
    }
}
