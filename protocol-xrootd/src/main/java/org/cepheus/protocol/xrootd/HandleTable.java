package org.cepheus.protocol.xrootd;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.DataFile;

/** The open files of one session; handles are the smallest free numbers. */
final class HandleTable {
    /** The most files one session has open. */
    static final int MAX_OPEN_FILES = 1024;

    private static final int RETRY_SECONDS = 5;

    private final Map<Integer, OpenFile> files = new HashMap<>();
    private final BitSet used = new BitSet();

    /**
     * @throws FsException Overloaded when the session has too many files open or being opened
     */
    void checkRoom(int opening) {
        if (files.size() + opening >= MAX_OPEN_FILES) {
            throw new FsException(
                    new FsError.Overloaded(
                            "%d files are open in this session, the limit is %d; close some"
                                    .formatted(files.size(), MAX_OPEN_FILES),
                            RETRY_SECONDS));
        }
    }

    OpenFile add(DataFile file) {
        int handle = used.nextClearBit(0);
        used.set(handle);
        var open = new OpenFile(handle, file);
        files.put(handle, open);
        return open;
    }

    /** The file of a handle that is open and not being closed. */
    Optional<OpenFile> find(int handle) {
        return Optional.ofNullable(files.get(handle)).filter(file -> !file.isClosing());
    }

    void remove(OpenFile file) {
        files.remove(file.handle());
        used.clear(file.handle());
    }

    Collection<OpenFile> removeAll() {
        List<OpenFile> all = List.copyOf(files.values());
        files.clear();
        used.clear();
        return all;
    }
}
