package org.cepheus.protocol.control;

import java.util.List;

/**
 * How an FST is, told each second.
 *
 * @param streams files open for clients now
 */
public record Heartbeat(List<VolumeLoad> volumes, int streams) {
    public Heartbeat {
        volumes = List.copyOf(volumes);
    }

    /**
     * Room on one volume.
     *
     * @param device names the storage below: volumes that share it share the room
     * @param usable false while its storage hangs or fails: place nothing there
     */
    public record VolumeLoad(
            int volumeId, long totalBytes, long freeBytes, String device, boolean usable) {}
}
