package org.cepheus.domain.port;

import java.util.concurrent.CompletionStage;

/** The bytes of one FST as protocols see them. Nothing blocks the caller's thread. */
public interface DataService {
    /**
     * Opens what a ticket allows. Opening a write lease again takes it over: the handle before it
     * fails from then on, what was written stays.
     *
     * @param sealedTicket the text from the redirect
     * @throws org.cepheus.domain.FsException in the stage: TicketExpired, TicketInvalid, NotFound,
     *     IoFailure, Overloaded; nothing changed
     */
    CompletionStage<DataFile> open(String sealedTicket);
}
