package org.cepheus.domain.port;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FileStatus;

/**
 * Some entries of a directory in byte order of their names.
 *
 * @param next where to go on; absent when this was the last page
 */
public record DirectoryPage(List<Entry> entries, Optional<String> next) {
    public DirectoryPage {
        entries = List.copyOf(entries);
    }

    /** One name and what stat shows of it. */
    public record Entry(String name, FileStatus status) {}
}
