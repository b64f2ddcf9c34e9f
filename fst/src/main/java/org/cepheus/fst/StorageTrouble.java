package org.cepheus.fst;

import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.fst.volume.Volume;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a client what its storage said: by the name that the client knows. The file below is the
 * operator's affair and goes into the log, under the same trace id.
 */
final class StorageTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(StorageTrouble.class);

    private StorageTrouble() {}

    /** On the pool, for it asks the volume for its room. */
    static FsException inWordsOfTheClient(FsException trouble, Ticket ticket, Volume volume) {
        return switch (trouble.error()) {
            case FsError.NoSpace below -> {
                log(ticket, below);
                yield new FsException(
                        new FsError.NoSpace(
                                "no space left for %s: volume %d has %s; nothing was stored, remove files or try again later"
                                        .formatted(
                                                ticket.path(), volume.volumeId(), room(volume))));
            }
            case FsError.IoFailure below -> {
                log(ticket, below);
                yield new FsException(
                        new FsError.IoFailure(
                                "the storage of volume %d failed while %s was written: nothing was stored; the log of FST %d says more under trace %s"
                                        .formatted(
                                                volume.volumeId(),
                                                ticket.path(),
                                                ticket.fstId(),
                                                ticket.caller().trace())));
            }
            case FsError _ -> trouble;
        };
    }

    private static void log(Ticket ticket, FsError below) {
        LOG.atWarn()
                .addKeyValue("trace", ticket.caller().trace())
                .log("{}: {}", ticket.path(), below.message());
    }

    private static String room(Volume volume) {
        try {
            return "%d bytes free".formatted(volume.space().freeBytes());
        } catch (FsException e) {
            return "an unknown number of bytes free";
        }
    }
}
