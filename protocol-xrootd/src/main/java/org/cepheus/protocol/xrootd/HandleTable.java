package org.cepheus.protocol.xrootd;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

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

    /** Gives the file a handle, one more if it has one already. */
    int add(OpenFile file) {
        int handle = used.nextClearBit(0);
        used.set(handle);
        files.put(handle, file);
        return handle;
    }

    /** The upload that this session opened with that ticket, unless it is being closed. */
    Optional<OpenFile> upload(String sealedTicket) {
        return files.values().stream()
                .filter(file -> file.isForWriting() && !file.isClosing())
                .filter(file -> file.sealedTicket().equals(sealedTicket))
                .findAny();
    }

    /** The file of a handle that is open and not being closed. */
    Optional<OpenFile> find(int handle) {
        return Optional.ofNullable(files.get(handle)).filter(file -> !file.isClosing());
    }

    /** Every handle of the file is free again. */
    void remove(OpenFile file) {
        files.entrySet()
                .removeIf(entry -> {
                    boolean isOfFile = entry.getValue() == file;
                    if (isOfFile) {
                        used.clear(entry.getKey());
                    }
                    return isOfFile;
                });
    }

    Collection<OpenFile> removeAll() {
        Set<OpenFile> all = Set.copyOf(files.values());
        files.clear();
        used.clear();
        return all;
    }
}
