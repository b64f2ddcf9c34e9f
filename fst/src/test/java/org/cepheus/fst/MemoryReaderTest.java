package org.cepheus.fst;

import org.cepheus.fst.volume.MemoryVolume;
import org.cepheus.fst.volume.Volume;

/** The contract on memory. */
final class MemoryReaderTest extends ReaderContract {
    @Override
    Volume makeVolume() {
        return new MemoryVolume(1, "memory", 1 << 20);
    }
}
