package org.cepheus.namespace.sim;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.QuotaChange;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.NodeCounts;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Recount;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.jspecify.annotations.Nullable;

/**
 * Clients and FSTs: commands of every kind over a few names, so that they get in each other's way.
 */
final class Workload {
    private static final List<String> NAMES = List.of("a", "b", "ü");
    private static final List<String> FILES = List.of("f", "g", "h");
    private static final List<Integer> MODES =
            List.of(
                    0755, 0755, 0777, 0777, 0777, 0777, 0777, 0700, 0770, 01777, 02775, 02777, 0555,
                    0666, 0644);
    private static final List<Identity> PEOPLE =
            List.of(
                    new Identity("alice", List.of("users", "staff"), false),
                    new Identity("alice", List.of("users", "staff"), false),
                    new Identity("bob", List.of("users"), false),
                    new Identity("carol", List.of("guests"), false),
                    Identity.SYSTEM,
                    Identity.SYSTEM,
                    Identity.NOBODY);
    private static final int QUARTER_MIB = 1 << 18;
    private static final int MAX_REMEMBERED = 24;
    private static final long FAR = 1L << 40;

    private final Random random;
    private final boolean deep;
    private final Deque<Granted> leases = new ArrayDeque<>();
    private final Deque<LogEntry.Item> unanswered = new ArrayDeque<>();
    private final long[] boots = {100, 200, 300};
    private final Deque<LogEntry.Item> parts = new ArrayDeque<>();
    private List<GarbageKey> garbage = List.of();
    private List<Unsettled> unsettled = List.of();
    private int strangers;
    private final Deque<Mutation> towers = new ArrayDeque<>();

    private record Granted(LeaseRef ref, OptionalLong declared, int fst) {}

    /**
     * @param deep also builds directories as deep as paths go, and moves them into each other
     */
    Workload(Random random, boolean deep) {
        this.random = random;
        this.deep = deep;
    }

    /** What an answer teaches the clients. */
    void learn(LogEntry.Item item, Reply reply) {
        if (reply instanceof Reply.Opened opened
                && item.command() instanceof LeaseCommand.OpenForWrite c) {
            OptionalLong declared =
                    c.intent() == Intent.UPDATE ? OptionalLong.empty() : c.declaredSizeBytes();
            leases.addLast(new Granted(opened.lease(), declared, c.placement().fstId()));
            if (leases.size() > MAX_REMEMBERED) {
                leases.removeFirst();
            }
        }
        if (item.command() instanceof FleetCommand.RegisterFst c && reply instanceof Reply.Done) {
            boots[c.address().fstId()] = c.bootId();
        }
        if (isOver(item, reply) && random.nextInt(4) > 0) {
            leases.removeIf(granted -> granted.ref().equals(lease(item.command())));
        }
    }

    // Most clients forget a lease that has ended; some come late.
    private static boolean isOver(LogEntry.Item item, Reply reply) {
        return reply instanceof Reply.Committed
                || item.command() instanceof LeaseCommand.Abort
                || reply instanceof Reply.Refused(FsError.LeaseGone _);
    }

    private static @Nullable LeaseRef lease(Command command) {
        return switch (command) {
            case LeaseCommand.Commit c -> c.lease();
            case LeaseCommand.Abort c -> c.lease();
            case LeaseCommand.ExtendReservation c -> c.lease();
            case LeaseCommand.OpenForWrite _,
                    FleetCommand _,
                    QuotaCommand _,
                    OperatorCommand _,
                    Mutation _ ->
                    null;
        };
    }

    /** What the leader would hand to FSTs to delete. */
    void garbage(Iterable<GarbageKey> keys) {
        var list = new ArrayList<GarbageKey>();
        keys.forEach(list::add);
        garbage = List.copyOf(list);
    }

    /** What the leader would ask FSTs for the size of. */
    void unsettled(Map<Long, Long> dataIdsByInode) {
        var list = new ArrayList<Unsettled>();
        dataIdsByInode.forEach((inode, dataId) -> list.add(new Unsettled(inode, dataId)));
        unsettled = List.copyOf(list);
    }

    private record Unsettled(long inode, long dataId) {}

    /** The client never heard what came of it and will say it again. */
    void repeatLater(LogEntry.Item item) {
        (item.command() instanceof QuotaCommand ? parts : unanswered).addLast(item);
    }

    /**
     * The leader counts: some of the parts that a snapshot of any member says, and some that were
     * said before. They come in entries of their own.
     */
    List<LogEntry.Item> counts(Snapshot snapshot) {
        var items = new ArrayList<LogEntry.Item>();
        while (!parts.isEmpty() && random.nextBoolean()) {
            items.add(parts.removeFirst());
        }
        for (Queries.NodeCount each : Queries.counts(snapshot)) {
            items.addAll(parts(snapshot, each));
        }
        return items;
    }

    private List<LogEntry.Item> parts(Snapshot snapshot, Queries.NodeCount each) {
        Recount recount = Recount.ofNode(snapshot, each.node());
        while (!recount.step(1 + random.nextInt(5))) {}
        var all =
                NodeCounts.parts(each, recount.missing(), 1 + random.nextInt(4)).stream()
                        .map(part -> item(Identity.SYSTEM, part))
                        .toList();
        // Some leaders fall over in the midst of it.
        return random.nextInt(3) == 0 ? all.subList(0, random.nextInt(all.size())) : all;
    }

    LogEntry.Item next() {
        if (!unanswered.isEmpty() && random.nextInt(3) == 0) {
            return unanswered.removeFirst();
        }
        if (deep && random.nextInt(12) == 0) {
            return item(Identity.SYSTEM, deepDirectory());
        }
        Command command = command();
        boolean needsOperator =
                command instanceof Mutation.SetQuota
                        || command instanceof Mutation.SetDefaultQuota
                        || command instanceof Mutation.RemoveQuota;
        Identity who = needsOperator && random.nextInt(8) > 0 ? Identity.SYSTEM : person();
        return item(who, command);
    }

    private LogEntry.Item item(Identity who, Command command) {
        return new LogEntry.Item(
                new Caller(who, "[::1]:" + random.nextInt(4), new TraceId(random.nextInt(1000))),
                command);
    }

    private Identity person() {
        return random.nextInt(60) == 0
                ? new Identity(
                        "stranger" + strangers++ % 40, List.of("tribe" + strangers % 7), false)
                : pick(PEOPLE);
    }

    private Command command() {
        int dice = random.nextInt(100);
        if (dice < 40) {
            return mutation();
        }
        if (dice < 90) {
            return lease();
        }
        return fleet();
    }

    private Mutation mutation() {
        return switch (random.nextInt(17)) {
            case 16 ->
                    // A small number is now and then the version of a file that is there.
                    new Mutation.IfVersion(
                            random.nextInt(2, 60),
                            random.nextBoolean()
                                    ? new Mutation.RemoveFile(file())
                                    : new Mutation.SetMode(path(), pick(MODES)));
            case 0, 1, 2 ->
                    new Mutation.MakeDirectory(directory(), pick(MODES), random.nextInt(3) == 0);
            case 3, 4 -> new Mutation.RemoveFile(file());
            case 5 -> new Mutation.RemoveDirectory(directory());
            case 6, 7, 8 -> rename();
            case 9 -> mode();
            case 10 -> owner();
            case 11 -> new Mutation.SetModified(path(), Instant.ofEpochSecond(random.nextInt(), 5));
            case 12 ->
                    new Mutation.SetAttribute(
                            path(),
                            pick(List.of("user.x", "user.y", "sys.z", "odd")),
                            Bytes.copyOf("v".getBytes(StandardCharsets.UTF_8)),
                            random.nextInt(4) == 0);
            case 13 ->
                    random.nextBoolean()
                            ? new Mutation.RemoveAttribute(
                                    path(), pick(List.of("user.x", "user.y", "sys.z")))
                            : new Mutation.ChangeAttributes(
                                    path(),
                                    List.of(
                                            change("user.x"),
                                            change(pick(List.of("user.y", "sys.z", "odd")))));
            case 14 -> quota();
            default -> random.nextInt(3) == 0 ? new Mutation.RemoveQuota(path()) : quota();
        };
    }

    private Mutation.AttributeChange change(String name) {
        return new Mutation.AttributeChange(
                name,
                random.nextBoolean()
                        ? Optional.of(Bytes.copyOf("w".getBytes(StandardCharsets.UTF_8)))
                        : Optional.empty());
    }

    private Mutation rename() {
        return random.nextBoolean()
                ? new Mutation.Rename(file(), file(), random.nextInt(3) > 0)
                : new Mutation.Rename(directory(), directory(), random.nextBoolean());
    }

    // Two towers of x; one is hung into the other, if it fits, and taken out again.
    private Mutation deepDirectory() {
        if (towers.isEmpty()) {
            FsPath x = FsPath.ROOT.child("x");
            FsPath y = FsPath.ROOT.child("y");
            int height = 60 + random.nextInt(120);
            FsPath within = below(y, random.nextInt(height)).child(pick(NAMES));
            towers.add(new Mutation.MakeDirectory(below(x, random.nextInt(180)), 0777, true));
            towers.add(new Mutation.MakeDirectory(below(y, height), 0777, true));
            towers.add(new Mutation.Rename(x, within, false));
            towers.add(new Mutation.Rename(below(y, 1), x.child("z"), false));
            towers.add(new Mutation.Rename(within, x, false));
            towers.add(new Mutation.Rename(y, x.child("y"), false));
            towers.add(new Mutation.RemoveDirectory(y));
        }
        return towers.removeFirst();
    }

    private static FsPath below(FsPath path, int levels) {
        FsPath at = path;
        for (int i = 0; i < levels; i++) {
            at = at.child("x");
        }
        return at;
    }

    private Mutation mode() {
        FsPath path = path();
        return new Mutation.SetMode(path, path.isRoot() ? 01777 : pick(MODES));
    }

    private Mutation owner() {
        return new Mutation.SetOwner(
                path(),
                random.nextBoolean() ? Optional.of(pick(PEOPLE).user()) : Optional.empty(),
                random.nextBoolean()
                        ? Optional.of(pick(List.of("users", "staff", "guests")))
                        : Optional.empty());
    }

    private Mutation quota() {
        QuotaKind kind = pick(List.of(QuotaKind.values()));
        String principal =
                switch (kind) {
                    case PROJECT -> random.nextInt(20) == 0 ? "x" : "";
                    case USER -> pick(PEOPLE).user();
                    case GROUP -> pick(PEOPLE).primaryGroup();
                };
        FsPath path = random.nextInt(4) == 0 ? FsPath.ROOT : path();
        var limits =
                new QuotaChange(
                        limit(300, QUARTER_MIB),
                        limit(30, 1),
                        limit(300, QUARTER_MIB),
                        limit(30, 1));
        return random.nextInt(5) == 0
                ? new Mutation.SetDefaultQuota(path, kind, limits)
                : new Mutation.SetQuota(path, kind, principal, limits);
    }

    private OptionalLong limit(int max, int unit) {
        return switch (random.nextInt(4)) {
            case 0 -> OptionalLong.empty();
            case 1 -> OptionalLong.of(random.nextInt(80) == 0 ? -3 : -1 - random.nextInt(2));
            default -> OptionalLong.of((long) random.nextInt(max) * unit);
        };
    }

    private LeaseCommand lease() {
        int dice = random.nextInt(20);
        if (dice < 8 || leases.isEmpty()) {
            return open();
        }
        Granted granted = pick(List.copyOf(leases));
        if (dice < 10) {
            return new LeaseCommand.ExtendReservation(
                    granted.ref(), (long) random.nextInt(160) * QUARTER_MIB);
        }
        if (dice < 18) {
            return commit(granted);
        }
        return new LeaseCommand.Abort(granted.ref(), "the client went away");
    }

    private LeaseCommand open() {
        int fst = random.nextInt(boots.length);
        long boot = random.nextInt(30) == 0 ? 7 : boots[fst];
        return new LeaseCommand.OpenForWrite(
                file(),
                pick(
                        List.of(
                                Intent.NEW,
                                Intent.REPLACE,
                                Intent.REPLACE,
                                Intent.REPLACE,
                                Intent.UPDATE)),
                random.nextInt(3) == 0,
                pick(MODES),
                declared(),
                new LeaseCommand.Placement(10 + fst, fst, boot));
    }

    private OptionalLong declared() {
        return switch (random.nextInt(30)) {
            case 0 -> OptionalLong.of(-1);
            case 1 -> OptionalLong.of(Long.MAX_VALUE);
            default -> random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(size());
        };
    }

    private long size() {
        return (long) random.nextInt(24) * QUARTER_MIB;
    }

    private LeaseCommand commit(Granted granted) {
        long size = granted.declared().orElse(size());
        return new LeaseCommand.Commit(
                granted.ref(),
                random.nextInt(12) == 0 ? size + random.nextInt(3) - 1 : size,
                List.of(Checksum.of(ChecksumType.ADLER32, random.nextInt())),
                random.nextInt(4) == 0
                        ? Optional.of(Instant.ofEpochSecond(random.nextInt()))
                        : Optional.empty());
    }

    private FleetCommand fleet() {
        int fst = random.nextInt(boots.length);
        return switch (random.nextInt(10)) {
            case 0 -> register(fst, boots[fst] + random.nextInt(3) - 1);
            case 1, 2, 3 ->
                    new FleetCommand.RenewSession(
                            fst,
                            random.nextInt(20) == 0 ? 9 : boots[fst],
                            leases.stream()
                                    .filter(g -> g.fst() == fst || random.nextInt(10) == 0)
                                    .map(Granted::ref)
                                    .toList());
            case 4, 5 -> new FleetCommand.ExpireLeases(100_000);
            case 6, 7 -> settle();
            default -> collect();
        };
    }

    private static FleetCommand register(int fst, long boot) {
        return new FleetCommand.RegisterFst(
                new FstAddress(fst, "host" + fst, 1095, 8081),
                boot,
                List.of(new FleetCommand.Volume(10 + fst, "uuid" + fst)));
    }

    private FleetCommand settle() {
        Unsettled lost = unsettled.isEmpty() ? new Unsettled(1, 2) : pick(unsettled);
        return new FleetCommand.SettleFile(
                lost.inode(),
                random.nextInt(10) == 0 ? lost.dataId() + FAR : lost.dataId(),
                random.nextInt(20) == 0 ? -1 : size(),
                Instant.ofEpochSecond(random.nextInt()));
    }

    private FleetCommand collect() {
        if (garbage.isEmpty()) {
            return new FleetCommand.CollectGarbage(10, List.of(1_000_000_000L));
        }
        int volume = pick(garbage).volumeId();
        return new FleetCommand.CollectGarbage(
                volume,
                garbage.stream()
                        .filter(key -> key.volumeId() == volume)
                        .map(GarbageKey::dataId)
                        .limit(50)
                        .toList());
    }

    // Mostly a file's: so that names are not all taken by directories.
    private FsPath file() {
        return random.nextInt(10) == 0 ? path() : path().parent().child(pick(FILES));
    }

    private FsPath directory() {
        return random.nextInt(10) == 0 ? path() : path().parent().child(pick(NAMES));
    }

    private FsPath path() {
        if (random.nextInt(100) == 0) {
            return FsPath.ROOT;
        }
        FsPath path = FsPath.ROOT;
        for (int depth = random.nextInt(3); depth > 0; depth--) {
            path = path.child(pick(NAMES));
        }
        return path.child(pick(random.nextInt(3) == 0 ? FILES : NAMES));
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
