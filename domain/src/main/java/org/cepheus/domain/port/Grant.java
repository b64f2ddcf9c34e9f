package org.cepheus.domain.port;

import java.util.Optional;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FstAddress;

/**
 * The answer to an open: go there with this ticket.
 *
 * @param sealedTicket text of the alphabet A-Z a-z 0-9 - _ and dot only
 * @param status the file as it is when reading or updating; absent for a new content
 */
public record Grant(String sealedTicket, FstAddress fst, Optional<FileStatus> status) {}
