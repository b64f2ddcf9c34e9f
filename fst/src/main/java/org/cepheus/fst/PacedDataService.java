package org.cepheus.fst;

import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;

/** Opens files each of which reads and writes at most so many bytes per second. */
final class PacedDataService implements DataService {
    private final DataService service;
    private final long bytesPerSecond;
    private final LongSupplier nanos;

    /**
     * @param bytesPerSecond at least 1
     * @param nanos a clock that only goes forward
     */
    PacedDataService(DataService service, long bytesPerSecond, LongSupplier nanos) {
        this.service = service;
        this.bytesPerSecond = bytesPerSecond;
        this.nanos = nanos;
    }

    @Override
    public CompletionStage<DataFile> open(String sealedTicket) {
        return service.open(sealedTicket)
                .thenApply(file -> new PacedFile(file, new Pace(bytesPerSecond), nanos));
    }
}
