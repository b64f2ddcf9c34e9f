package org.cepheus.fst;

import org.cepheus.fst.volume.Volume.Space;

/**
 * What is known of the room on a volume.
 *
 * @param space as it was told last, and believed
 * @param answered false if the volume failed to tell when it was last asked
 * @param doubted it said that it has no room at all, and was not believed
 */
record Room(Space space, boolean answered, boolean doubted) {
    /** A volume that never answered. */
    static final Room UNKNOWN = new Room(new Space(0, 0, ""), false, false);

    /**
     * The volume answered. That all its room is gone from one moment to the next is believed when
     * it says so twice: a Ceph whose statistics are away for a moment tells 0, and clients give up
     * at the first refusal. Whoever writes beyond the end meanwhile hears it from the storage.
     */
    Room answered(Space now) {
        boolean doubt = now.freeBytes() == 0 && space.freeBytes() > 0 && !doubted;
        return doubt ? new Room(space, true, true) : new Room(now, true, false);
    }

    /** The volume failed to answer. */
    Room silent() {
        return new Room(space, false, doubted);
    }
}
