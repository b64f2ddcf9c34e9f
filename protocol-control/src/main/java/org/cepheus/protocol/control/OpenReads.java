package org.cepheus.protocol.control;

import java.util.List;
import org.cepheus.domain.port.DownloadService.Download;

/**
 * What clients have open for reading at an FST.
 *
 * @param oldest the first of them
 * @param count of all
 */
public record OpenReads(List<Download> oldest, int count) {
    public OpenReads {
        oldest = List.copyOf(oldest);
    }
}
