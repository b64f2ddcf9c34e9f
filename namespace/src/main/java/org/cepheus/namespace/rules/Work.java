package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Location;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.namespace.AbortedUpload;
import org.cepheus.namespace.Draft;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.Garbage;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.PrincipalId;
import org.cepheus.namespace.rows.Rows.PrincipalName;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;
import org.cepheus.quota.QuotaRow;
import org.cepheus.quota.Reservations;

/**
 * One command at work: its draft, who asks, and the entry's time. Offers what several commands
 * need: ids, principals, and charging the chain of quota nodes.
 */
public final class Work {
    private final Draft draft;
    private final Caller caller;
    private final Bounds bounds;
    private Subject subject;
    private Optional<Directory> lastNode = Optional.empty();
    private List<AbortedUpload> aborted = List.of();

    public Work(Draft draft, Caller caller, Bounds bounds) {
        this.draft = draft;
        this.caller = caller;
        this.bounds = bounds;
        this.subject = Subject.of(draft, caller.identity());
    }

    public Draft draft() {
        return draft;
    }

    public Caller caller() {
        return caller;
    }

    public Subject subject() {
        return subject;
    }

    Bounds bounds() {
        return bounds;
    }

    /** An upload has ended without a commit. */
    void aborted(AbortedUpload upload) {
        if (aborted.isEmpty()) {
            aborted = new ArrayList<>();
        }
        aborted.add(upload);
    }

    /** The uploads that the command has ended. */
    public List<AbortedUpload> aborted() {
        return aborted;
    }

    public Head head() {
        return head(draft);
    }

    /** The head, which every store has from its first write on. */
    public static Head head(View view) {
        return view.get(Tables.HEADS, Tables.HEAD)
                .orElseThrow(() -> new IllegalStateException("the store has no head"));
    }

    /** The entry's wall time. */
    public long now() {
        return head().wallNanos();
    }

    /** The entry's lease clock. */
    public long leaseNow() {
        return head().leaseNanos();
    }

    /** A number never given before. */
    public long nextId() {
        Head h = head();
        draft.put(Tables.HEADS, Tables.HEAD, h.withCounters(h.nextId() + 1, h.nextPrincipal()));
        return h.nextId();
    }

    /** The number of a user or group name, given now if it has none. */
    public int principal(QuotaKind kind, String name) {
        var key = new PrincipalName(kind, name);
        return draft.get(Tables.PRINCIPAL_IDS, key)
                .map(PrincipalId::id)
                .orElseGet(() -> intern(key));
    }

    private int intern(PrincipalName name) {
        Head h = head();
        var id = new PrincipalId(name.kind(), h.nextPrincipal());
        draft.put(
                Tables.HEADS,
                Tables.HEAD,
                h.withCounters(h.nextId(), Math.addExact(h.nextPrincipal(), 1)));
        draft.put(Tables.PRINCIPAL_IDS, name, id);
        draft.put(Tables.PRINCIPAL_NAMES, id, name);
        // The caller may be who just got a number, and owns what it makes from here on.
        subject = Subject.of(draft, caller.identity());
        return id.id();
    }

    public int callerUser() {
        return principal(QuotaKind.USER, caller.identity().user());
    }

    public int callerGroup() {
        return principal(QuotaKind.GROUP, caller.identity().primaryGroup());
    }

    public static String name(View view, QuotaKind kind, int id) {
        return view.get(Tables.PRINCIPAL_NAMES, new PrincipalId(kind, id))
                .map(PrincipalName::name)
                .orElse(kind == QuotaKind.USER ? "nobody" : "nogroup");
    }

    public static FsException refuse(FsError error) {
        return new FsException(error);
    }

    public FsException denied(String what) {
        return refuse(
                new FsError.PermissionDenied(
                        "%s (groups %s) may not %s"
                                .formatted(
                                        caller.identity().user(),
                                        String.join(",", caller.identity().groups()),
                                        what)));
    }

    /** What may change names in the directory does so; else this refuses. */
    public void requireMayChange(Directory dir, FsPath path, String verb) {
        if (!subject.mayChange(dir)) {
            throw denied(
                    "%s %s: its directory has mode %04o, owner %s"
                            .formatted(
                                    verb,
                                    path,
                                    dir.mode(),
                                    name(draft, QuotaKind.USER, dir.owner())));
        }
    }

    /** Removing or renaming an entry also respects the sticky bit. */
    public void requireMayRemove(Directory dir, int entryOwner, FsPath path, String verb) {
        requireMayChange(dir, path, verb);
        if (!subject.mayRemove(dir, entryOwner)) {
            throw denied(
                    "%s %s: its directory is sticky and the entry belongs to %s"
                            .formatted(verb, path, name(draft, QuotaKind.USER, entryOwner)));
        }
    }

    // --- quota

    /** The quota nodes from the directory up to the root, nearest first. */
    public static List<Long> chain(View view, long directory) {
        var nodes = new ArrayList<Long>(2);
        for (long id = directory; ; ) {
            Directory dir = Walk.directory(view, id);
            if (dir.isQuotaNode()) {
                nodes.add(id);
            }
            if (id == Walk.ROOT) {
                return nodes;
            }
            id = dir.parent();
        }
    }

    /** The rows of the nodes that count for this owner: project, user and group of each. */
    public static List<QuotaKey> rows(List<Long> nodes, int owner, int group) {
        var keys = new ArrayList<QuotaKey>(nodes.size() * 3);
        for (long node : nodes) {
            keys.add(new QuotaKey(node, QuotaKind.PROJECT, 0));
            keys.add(new QuotaKey(node, QuotaKind.USER, owner));
            keys.add(new QuotaKey(node, QuotaKind.GROUP, group));
        }
        return keys;
    }

    public static QuotaRow row(View view, QuotaKey key) {
        return view.get(Tables.QUOTAS, key).orElse(QuotaRow.EMPTY);
    }

    /**
     * Adds the charge to all rows.
     *
     * @throws FsException QuotaExceeded, if one row would grow beyond its limit
     */
    public void charge(List<QuotaKey> keys, Charge charge) {
        keys.forEach(key -> charge(key, charge));
    }

    /** The same for a bill of several charges. */
    void charge(Bill bill) {
        bill.sums().forEach(this::charge);
    }

    private void charge(QuotaKey key, Charge charge) {
        QuotaRow row = row(draft, key);
        Directory node = node(key.node());
        if (node.isCounting()) {
            putRow(key, row.noted(charge));
            return;
        }
        limited(draft, node, key, row)
                .refusal(charge)
                .ifPresent(excess -> {
                    throw refuse(exceeded(key, excess));
                });
        putRow(key, row.plus(charge));
    }

    // The rows of a node come one after the other.
    private Directory node(long id) {
        if (lastNode.isEmpty() || lastNode.get().id() != id) {
            lastNode = Optional.of(Walk.directory(draft, id));
        }
        return lastNode.get();
    }

    /** The row with the limits that count for it: its own, else the node's defaults. */
    public static QuotaRow limited(View view, Directory node, QuotaKey key, QuotaRow row) {
        if (!node.hasDefaults() || key.kind() == QuotaKind.PROJECT || !row.limits().inherits()) {
            return row;
        }
        return row.withLimits(row.limits().over(row(view, defaults(key)).limits()));
    }

    /** The row that has the defaults for such a row. */
    private static QuotaKey defaults(QuotaKey key) {
        return new QuotaKey(key.node(), key.kind(), 0);
    }

    // A node that does not know what is used leaves all the room there is.
    private QuotaRow limited(QuotaKey key) {
        Directory node = node(key.node());
        return node.isCounting() ? QuotaRow.EMPTY : limited(draft, node, key, row(draft, key));
    }

    public void putRow(QuotaKey key, QuotaRow row) {
        if (row.isEmpty()) {
            draft.delete(Tables.QUOTAS, key);
        } else {
            draft.put(Tables.QUOTAS, key, row);
        }
    }

    private FsError exceeded(QuotaKey key, QuotaRow.Excess excess) {
        String whose =
                key.kind() == QuotaKind.PROJECT ? "" : name(draft, key.kind(), key.principal());
        return new FsError.QuotaExceeded(
                pathOf(draft, key.node()),
                key.kind(),
                whose,
                excess.unit(),
                excess.limit(),
                excess.used(),
                excess.reserved(),
                excess.wanted());
    }

    /** The size to reserve for an upload without a declared one, or a refusal. */
    public long chunk(List<QuotaKey> keys, long wanted) {
        List<QuotaRow> rows = keys.stream().map(this::limited).toList();
        OptionalLong chunk = Reservations.chunk(rows, wanted);
        if (chunk.isPresent()) {
            return chunk.getAsLong();
        }
        for (QuotaKey key : keys) {
            limited(key)
                    .refusal(Charge.reserved(Reservations.LEAST_BYTES, 0))
                    .ifPresent(excess -> {
                        throw refuse(exceeded(key, excess));
                    });
        }
        throw new IllegalStateException("no row refuses, and yet no chunk fits");
    }

    // --- places and data

    /** The path of a directory, by its links upward. */
    public static FsPath pathOf(View view, long directory) {
        var parts = new ArrayList<String>();
        for (long id = directory; id != Walk.ROOT; ) {
            long inode = id;
            Place place =
                    view.get(Tables.PLACES, inode)
                            .orElseThrow(() ->
                                    new IllegalStateException("inode " + inode + " has no place"));
            parts.add(place.name());
            id = place.parent();
        }
        return new FsPath("/" + String.join("/", parts.reversed()));
    }

    /** Hands contents to the garbage family: they are deleted only by order. */
    public void discard(List<Location> locations, long inode, String reason) {
        for (Location at : locations) {
            draft.put(
                    Tables.GARBAGE,
                    new GarbageKey(at.volumeId(), at.dataId()),
                    new Garbage(inode, now(), reason));
        }
    }

    /** The same for the content of a file, with what is noted about it. */
    void discard(Entry.File file, String reason) {
        discard(file.locations(), file.inode(), reason);
        if (file.isRelocated()) {
            draft.delete(Tables.CONTENTS, file.dataId());
        }
        // Its writer in place may have been lost in this very command.
        if (file.isUnsettled() || file.updating() != 0) {
            draft.delete(Tables.UNSETTLED, file.inode());
        }
    }

    /** More (or fewer) directories than before. */
    void countDirectories(long more) {
        Head h = head();
        draft.put(Tables.HEADS, Tables.HEAD, h.withDirectories(h.directories() + more));
    }

    public void putDirectory(Directory dir) {
        draft.put(Tables.DIRECTORIES, dir.id(), dir);
        lastNode = Optional.empty();
    }

    // --- status

    public static FileStatus status(View view, Subject subject, Entry entry) {
        return switch (entry) {
            case Entry.DirectoryLink link -> status(view, subject, Walk.directory(view, link.id()));
            case Entry.File f ->
                    new FileStatus(
                            FileKind.FILE,
                            f.inode(),
                            f.version(),
                            f.sizeBytes(),
                            f.mode(),
                            name(view, QuotaKind.USER, f.owner()),
                            name(view, QuotaKind.GROUP, f.group()),
                            DomainCodec.instant(f.modifiedNanos()),
                            DomainCodec.instant(f.changedNanos()),
                            DomainCodec.instant(f.bornNanos()),
                            f.checksums(),
                            f.updating() != 0 || f.isUnsettled(),
                            subject.access(f.mode(), f.owner(), f.group()),
                            f.hasAttributes());
            case Entry.Symlink l ->
                    new FileStatus(
                            FileKind.SYMLINK,
                            l.inode(),
                            0,
                            l.target().length(),
                            0777,
                            name(view, QuotaKind.USER, l.owner()),
                            name(view, QuotaKind.GROUP, l.group()),
                            DomainCodec.instant(l.modifiedNanos()),
                            DomainCodec.instant(l.modifiedNanos()),
                            DomainCodec.instant(l.modifiedNanos()),
                            List.of(),
                            false,
                            subject.access(0777, l.owner(), l.group()),
                            false);
        };
    }

    private static FileStatus status(View view, Subject subject, Directory d) {
        return new FileStatus(
                FileKind.DIRECTORY,
                d.id(),
                0,
                0,
                d.mode(),
                name(view, QuotaKind.USER, d.owner()),
                name(view, QuotaKind.GROUP, d.group()),
                DomainCodec.instant(d.modifiedNanos()),
                DomainCodec.instant(d.changedNanos()),
                DomainCodec.instant(d.bornNanos()),
                List.of(),
                false,
                subject.access(d.mode(), d.owner(), d.group()));
    }
}
