package org.cepheus.protocol.xrootd;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.NamespaceService;
import org.jspecify.annotations.Nullable;

/**
 * One open file of a connection: what is running on it, and the pages that arrived damaged. It has
 * one handle, or more if the client opened one upload more than once. Owned by the connection's
 * event loop.
 */
final class OpenFile {
    /** Damaged pages that may wait for their correction. */
    static final int MAX_DAMAGED_PAGES = 256;

    private final String sealedTicket;
    private final DataFile file;

    /** Where pages that arrived damaged are, by where the client says they are. */
    private final Map<Long, Long> damaged = new HashMap<>();

    private final boolean appends;
    private boolean moves;
    private long end;
    private int running;
    private boolean closing;
    private @Nullable Runnable whenIdle;
    private @Nullable WaitingAttributes attributes;

    /**
     * A file that was opened now.
     *
     * @param appends what was there at the open is not written over
     */
    OpenFile(String sealedTicket, DataFile file, boolean appends) {
        this.sealedTicket = sealedTicket;
        this.file = file;
        this.appends = appends;
        this.end = file.sizeBytes();
    }

    String sealedTicket() {
        return sealedTicket;
    }

    DataFile file() {
        return file;
    }

    boolean isForWriting() {
        return file.ticket().isForWriting();
    }

    /** True if its name will show what is written only after the close. */
    boolean isNewContent() {
        return isForWriting() && !file.ticket().inPlace();
    }

    /** Takes attributes until the name is there. */
    WaitingAttributes waitingAttributes() {
        if (attributes == null) {
            attributes = new WaitingAttributes(file.ticket().path());
        }
        return attributes;
    }

    /** Makes everything that was written visible, and sets the attributes that wait for that. */
    CompletionStage<?> commit(NamespaceService namespace) {
        CompletionStage<FileStatus> committed = file.commit(List.of());
        WaitingAttributes waiting = attributes;
        return waiting == null
                ? committed
                : committed.thenCompose(_ -> waiting.settle(namespace, file.ticket().caller()));
    }

    /** A request begins to use the file. */
    void enter() {
        running++;
    }

    /** It uses the file no more. */
    void leave() {
        running--;
        Runnable waiting = whenIdle;
        if (running == 0 && waiting != null) {
            whenIdle = null;
            waiting.run();
        }
    }

    /** True once a close came: nothing new may begin. */
    boolean isClosing() {
        return closing;
    }

    /** The close failed in a way that the client may repeat. */
    void keepOpen() {
        closing = false;
    }

    /** Begins to close; runs the action when no request uses the file any more. */
    void closeAfterRunning(Runnable action) {
        closing = true;
        if (running == 0) {
            action.run();
        } else {
            whenIdle = action;
        }
    }

    /**
     * Where a write that begins now puts its bytes. A client that appends and says where the end is
     * is taken at its word, so that it may repeat a write after a lost connection; from one that
     * does not, everything goes to the end.
     */
    long placeOf(long offset, long length) {
        moves |= appends && offset < file.ticket().sizeBytes();
        long place = moves ? end : offset;
        end = Math.max(end, place + length);
        return place;
    }

    /** Where the page is that the client sends again. */
    long placeOfDamaged(long offset) {
        return damaged.getOrDefault(offset, offset);
    }

    /** The file ends there from now on. */
    void cutAt(long sizeBytes) {
        end = sizeBytes;
    }

    /**
     * Remembers a damaged page; false if there are too many.
     *
     * @param offset where the client says it is
     * @param place where it is
     */
    boolean markDamaged(long offset, long place, int length) {
        file.pageDamaged(place, length);
        damaged.put(offset, place);
        return damaged.size() <= MAX_DAMAGED_PAGES;
    }

    /** The page of that offset came again whole. */
    void markMended(long offset) {
        Long place = damaged.remove(offset);
        if (place != null) {
            file.pageMended(place);
        }
    }

    /** The connection or session ended: a reader is done, an upload is held. */
    void release() {
        if (isForWriting()) {
            file.detach();
        } else {
            file.close();
        }
    }
}
