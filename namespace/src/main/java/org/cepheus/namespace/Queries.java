package org.cepheus.namespace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.Location;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.OperatorService.Found;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Count;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.OnceReply;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Rows.Unsettled;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.rules.FleetRules;
import org.cepheus.namespace.rules.OperatorRules;
import org.cepheus.namespace.rules.Subject;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.rules.Work;
import org.cepheus.quota.QuotaRow;

/**
 * What can be asked of the namespace without changing it. Answers are of the last applied entry;
 * whether that is recent enough is the caller's concern. Refusals are FsExceptions.
 */
public final class Queries {
    private final LiveView live;
    private final View view;
    private final Queries inMemory;

    Queries(LiveView live) {
        this.live = live;
        this.view = live;
        this.inMemory = new Queries(live, live.inMemory());
    }

    private Queries(LiveView live, View view) {
        this.live = live;
        this.view = view;
        this.inMemory = this;
    }

    /**
     * For a thread that must not wait for the disk, to stat and to open: {@link
     * org.cepheus.namespace.store.Store.NotCached} is thrown where an answer is only there.
     */
    public Queries inMemory() {
        return inMemory;
    }

    public FileStatus stat(Identity identity, FsPath path) {
        return live.consistently(
                view,
                rows -> {
                    Subject subject = Subject.of(rows, identity);
                    return Work.status(rows, subject, Walk.to(rows, subject, path).existing());
                });
    }

    /** What an open for reading needs. */
    public record ReadTarget(
            FileStatus status, long inode, List<Location> locations, long sizeBytes) {
        public ReadTarget {
            locations = List.copyOf(locations);
        }
    }

    /** The content of a file, if the identity may read it. */
    public ReadTarget openForRead(Identity identity, FsPath path) {
        return live.consistently(
                view,
                rows -> {
                    Subject subject = Subject.of(rows, identity);
                    Entry.File file = Walk.to(rows, subject, path).existingFile();
                    if (!subject.mayRead(file.mode(), file.owner(), file.group())) {
                        throw new FsException(
                                new FsError.PermissionDenied(
                                        "%s may not read %s (mode %04o)"
                                                .formatted(identity.user(), path, file.mode())));
                    }
                    return new ReadTarget(
                            Work.status(rows, subject, file),
                            file.inode(),
                            file.locations(),
                            file.sizeBytes());
                });
    }

    /** The path of an inode: files and directories. */
    public Optional<FsPath> pathOf(long inode) {
        return live.consistently(view ->
                view.get(Tables.PLACES, inode)
                        .map(at -> Work.pathOf(view, at.parent()).child(at.name())));
    }

    /** What is at an inode and where, for whoever may see everything. */
    public Optional<Found> find(Identity identity, long inode) {
        return live.consistently(view -> {
            Subject subject = Subject.of(view, identity);
            if (inode == Walk.ROOT) {
                var root = new Entry.DirectoryLink(inode);
                return Optional.of(new Found(FsPath.ROOT, Work.status(view, subject, root)));
            }
            Optional<Place> place = view.get(Tables.PLACES, inode);
            return place.flatMap(at ->
                    view.get(Tables.ENTRIES, new EntryKey(at.parent(), at.name()))
                            .map(entry ->
                                    new Found(
                                            Work.pathOf(view, at.parent()).child(at.name()),
                                            Work.status(view, subject, entry))));
        });
    }

    /** A page of a directory, in byte order of the names. */
    public DirectoryPage list(Identity identity, FsPath path, String after, int max) {
        return live.consistently(view -> {
            Subject subject = Subject.of(view, identity);
            Directory dir = Walk.to(view, subject, path).existingDirectory(view);
            if (!subject.mayList(dir)) {
                throw new FsException(
                        new FsError.PermissionDenied(
                                "%s may not list %s (mode %04o)"
                                        .formatted(identity.user(), path, dir.mode())));
            }
            return page(view, subject, dir.id(), after, max);
        });
    }

    private static DirectoryPage page(
            View view, Subject subject, long directory, String after, int max) {
        var entries = new ArrayList<DirectoryPage.Entry>(Math.min(max, 1024));
        byte[] prefix = Tables.longKey(directory);
        byte[] from =
                after.isEmpty()
                        ? prefix
                        : beyond(Tables.ENTRIES.keyBytes(new EntryKey(directory, after)));
        boolean[] more = {false};
        view.scan(
                Tables.ENTRIES,
                from,
                Tables.after(prefix),
                (key, entry) -> {
                    if (entries.size() == max) {
                        more[0] = true;
                        return false;
                    }
                    entries.add(
                            new DirectoryPage.Entry(
                                    Tables.nameIn(key), Work.status(view, subject, entry)));
                    return true;
                });
        return new DirectoryPage(
                entries, more[0] ? Optional.of(entries.getLast().name()) : Optional.empty());
    }

    // The smallest key greater than this one.
    private static byte[] beyond(byte[] key) {
        return java.util.Arrays.copyOf(key, key.length + 1);
    }

    /** Extended attributes; {@code sys.} only for superusers. */
    public Map<String, Bytes> attributes(Identity identity, FsPath path) {
        return live.consistently(view -> {
            Subject subject = Subject.of(view, identity);
            Walk walk = Walk.to(view, subject, path);
            FileStatus status = Work.status(view, subject, walk.existing());
            if (!status.access().mayRead()) {
                throw new FsException(
                        new FsError.PermissionDenied(
                                "%s may not read attributes of %s"
                                        .formatted(identity.user(), path)));
            }
            var found = new TreeMap<String, Bytes>();
            byte[] prefix = Tables.longKey(status.inode());
            view.scan(
                    Tables.ATTRIBUTES,
                    prefix,
                    Tables.after(prefix),
                    (key, value) -> {
                        String name = Tables.nameIn(key);
                        if (subject.isSuperuser() || !name.startsWith("sys.")) {
                            found.put(name, value);
                        }
                        return true;
                    });
            return found;
        });
    }

    /** The rows that count for the identity at a path, or at the nearest directory above it. */
    public List<QuotaReport> quotasAt(Identity identity, FsPath path) {
        return live.consistently(view -> {
            Subject subject = Subject.of(view, identity);
            return QuotaReports.at(view, subject, nearestDirectory(view, subject, path));
        });
    }

    private static long nearestDirectory(View view, Subject subject, FsPath path) {
        for (FsPath at = path; !at.isRoot(); at = at.parent()) {
            try {
                if (Walk.to(view, subject, at).entry().orElse(null)
                        instanceof Entry.DirectoryLink link) {
                    return link.id();
                }
            } catch (FsException refused) {
                switch (refused.error()) {
                    case FsError.NotFound _, FsError.NotDirectory _ -> {}
                    case FsError _ -> throw refused;
                }
            }
        }
        return Walk.ROOT;
    }

    /** Every row of every node, by path, then kind, then name; defaults before names. */
    public List<QuotaReport> quotas() {
        return live.consistently(QuotaReports::all);
    }

    /** A quota node that is being counted. */
    public record NodeCount(long node, Count count) {}

    /** The counts that are under way. */
    public List<NodeCount> counts() {
        return counts(live);
    }

    /** The same as of a snapshot. */
    public static List<NodeCount> counts(View rows) {
        var counts = new ArrayList<NodeCount>();
        rows.scan(
                Tables.COUNTS,
                new byte[] {'c'},
                new byte[] {'c' + 1},
                (key, count) -> counts.add(new NodeCount(Tables.countedNode(key), count)));
        return counts;
    }

    /** Where a quota node is, if it is one still. */
    public Optional<FsPath> nodePath(long node) {
        return live.consistently(
                view -> view.get(Tables.DIRECTORIES, node).map(dir -> Work.pathOf(view, dir.id())));
    }

    /** A running upload and the path it claims. */
    public record Upload(FsPath path, Lease lease) {}

    /** Uploads that are running, at most so many. */
    public List<Upload> uploads(int max) {
        return live.consistently(view -> {
            var uploads = new ArrayList<Upload>();
            view.scan(
                    Tables.LEASES,
                    Tables.longKey(0),
                    Tables.longKey(-1),
                    (_, lease) -> {
                        FsPath dir = Work.pathOf(view, lease.ref().parent());
                        uploads.add(new Upload(dir.child(lease.ref().name()), lease));
                        return uploads.size() < max;
                    });
            return uploads;
        });
    }

    /** Whether a sweep at that lease time would end a lease. */
    public boolean hasDeadLeases(long leaseNanos) {
        return live.anyLease(lease ->
                FleetRules.isDead(lease, live.get(Tables.FSTS, lease.fstId()), leaseNanos));
    }

    /** Data to delete, after the given key, at most so much. */
    public List<GarbageKey> garbage(Optional<GarbageKey> after, int max) {
        var keys = new ArrayList<GarbageKey>();
        byte[] from = after.map(key -> beyond(Tables.GARBAGE.keyBytes(key))).orElse(new byte[0]);
        byte[] to = {(byte) 0xff};
        live.scan(
                Tables.GARBAGE,
                from,
                to,
                (key, _) -> {
                    keys.add(Tables.garbageKey(key));
                    return keys.size() < max;
                });
        return keys;
    }

    /** A file whose size has to be asked for, and where it is. */
    public record UnsettledFile(long inode, FsPath path, long sizeBytes, Unsettled lost) {}

    /** Files whose last writer in place was lost, at most so many. */
    public List<UnsettledFile> unsettled(int max) {
        return live.consistently(view -> {
            var files = new ArrayList<UnsettledFile>();
            view.scan(
                    Tables.UNSETTLED,
                    Tables.longKey(0),
                    Tables.longKey(-1),
                    (key, lost) -> {
                        long inode = new ByteReader(key).i64();
                        unsettled(view, inode, lost).ifPresent(files::add);
                        return files.size() < max;
                    });
            return files;
        });
    }

    private static Optional<UnsettledFile> unsettled(View view, long inode, Unsettled lost) {
        return view.get(Tables.PLACES, inode)
                .flatMap(at ->
                        view.get(Tables.ENTRIES, new EntryKey(at.parent(), at.name()))
                                .flatMap(entry ->
                                        entry instanceof Entry.File file
                                                ? Optional.of(
                                                        new UnsettledFile(
                                                                inode,
                                                                Work.pathOf(view, at.parent())
                                                                        .child(at.name()),
                                                                file.sizeBytes(),
                                                                lost))
                                                : Optional.empty()));
    }

    /** An FST as it last said hello. */
    public Optional<Fst> fst(int fstId) {
        return live.get(Tables.FSTS, fstId);
    }

    /** Every FST that ever said hello, by number. */
    public List<Fst> fsts() {
        return live.consistently(view -> {
            var fsts = new ArrayList<Fst>();
            byte[] first = {'f'};
            byte[] beyond = {'f' + 1};
            view.scan(Tables.FSTS, first, beyond, (_, fst) -> fsts.add(fst));
            return fsts;
        });
    }

    /** What operators let FSTs and volumes be used for. From memory. */
    public FleetStates states() {
        return OperatorRules.states(live);
    }

    /** How the order with that key ended, if one came. */
    public Optional<OnceReply> known(OnceKey once) {
        return OperatorRules.known(live, once);
    }

    /** The upload of that number, if it runs. From memory. */
    public Optional<Lease> lease(long id) {
        return live.findLease(lease -> lease.ref().id() == id);
    }

    /** How many uploads run to each volume. */
    public Map<Integer, Integer> uploadsByVolume() {
        var counts = new TreeMap<Integer, Integer>();
        live.anyLease(lease -> {
            counts.merge(lease.volumeId(), 1, Integer::sum);
            return false;
        });
        return counts;
    }

    /** The path of a directory, if it is there still. */
    public Optional<FsPath> directory(long id) {
        return id == Walk.ROOT ? Optional.of(FsPath.ROOT) : pathOf(id);
    }

    /** What the whole namespace holds. */
    public QuotaRow total() {
        return Work.row(live, new QuotaKey(Walk.ROOT, QuotaKind.PROJECT, 0));
    }

    /** Reads rows as they are: for checks that walk everything. */
    public <T> T read(java.util.function.Function<View, T> query) {
        return live.consistently(view, query);
    }
}
