package org.cepheus.fst.volume;

final class MemoryVolumeTest extends VolumeContract {
    private final MemoryVolume volume = new MemoryVolume(1, "memory", 1 << 20);

    @Override
    Volume volume() {
        return volume;
    }
}
