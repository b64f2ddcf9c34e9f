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
    private final Map<Long, Integer> damaged = new HashMap<>();
    private int running;
    private boolean closing;
    private @Nullable Runnable whenIdle;
    private @Nullable WaitingAttributes attributes;

    OpenFile(String sealedTicket, DataFile file) {
        this.sealedTicket = sealedTicket;
        this.file = file;
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

    /** Remembers a damaged page; false if there are too many. */
    boolean markDamaged(long offset, int length) {
        file.pageDamaged(offset, length);
        damaged.put(offset, length);
        return damaged.size() <= MAX_DAMAGED_PAGES;
    }

    /** The page of that offset came again whole. */
    void markMended(long offset) {
        if (damaged.remove(offset) != null) {
            file.pageMended(offset);
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
