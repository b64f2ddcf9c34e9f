package org.cepheus.protocol.control;

import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.codec.Bytes;

/** The cluster an MGM belongs to and the keys of the FSTs it lets in. */
public interface FstKeyring {
    UUID cluster();

    /** The control key of that FST (32 bytes), empty if it is not to be let in. */
    Optional<Bytes> key(int fstId);
}
