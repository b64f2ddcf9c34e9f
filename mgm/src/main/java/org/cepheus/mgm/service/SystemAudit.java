package org.cepheus.mgm.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.OperatorService.Found;
import org.cepheus.namespace.AbortedUpload;

/**
 * Tells the audit what the log did to uploads and files that no request of a client asked for, once
 * for the whole group: at the member that proposed it, while that runs. What is replayed after a
 * start was told before it. On the apply thread it hands over a list; paths are found later.
 */
public final class SystemAudit implements NamespaceState.Listener {
    private final long proposer;
    private final NamespaceState state;
    private final Audit audit;

    /**
     * Wires it.
     *
     * @param proposer as in the entries of this run of this member
     */
    public SystemAudit(long proposer, NamespaceState state, Audit audit) {
        this.proposer = proposer;
        this.state = state;
        this.audit = audit;
    }

    @Override
    public void aborted(LogEntry entry, List<AbortedUpload> uploads) {
        if (isOurs(entry)) {
            audit.happened(uploads, this::aborted);
        }
    }

    @Override
    public void applied(long index, LogEntry entry, List<Reply> replies) {
        if (!isOurs(entry)) {
            return;
        }
        var settled = new ArrayList<Long>(0);
        for (int i = 0; i < replies.size(); i++) {
            if (entry.items().get(i).command() instanceof FleetCommand.SettleFile settle
                    && replies.get(i) instanceof Reply.Committed) {
                settled.add(settle.inode());
            }
        }
        if (!settled.isEmpty()) {
            audit.happened(settled, this::settled);
        }
    }

    private boolean isOurs(LogEntry entry) {
        return entry.batch().proposer() == proposer;
    }

    private Audit.Deed aborted(AbortedUpload upload) {
        return new Audit.Deed(
                upload.opener().trace(),
                "abort",
                pathOf(upload.lease()),
                upload.opener().identity().user(),
                upload.reason());
    }

    /** A directory that is gone by now leaves the name. */
    private String pathOf(LeaseRef lease) {
        return state.ask(queries -> queries.directory(lease.parent()))
                .map(directory -> directory.child(lease.name()).value())
                .orElse(lease.name());
    }

    /** Whose upload it was is told with its abort. */
    private Audit.Deed settled(long inode) {
        Optional<Found> file = state.ask(queries -> queries.find(Identity.SYSTEM, inode));
        return new Audit.Deed(
                TraceId.NONE,
                "settle",
                file.map(found -> found.path().value()).orElse("inode " + inode),
                file.map(found -> found.status().owner()).orElse("-"),
                "its last writer was lost: it is now what its storage says");
    }
}
