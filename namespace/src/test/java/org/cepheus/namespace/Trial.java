package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rules.Bounds;
import org.cepheus.namespace.store.MemoryStore;
import org.cepheus.quota.QuotaRow;

/**
 * A namespace on the heap that tests talk to, one command to an entry unless they say otherwise.
 */
final class Trial {
    static final UUID CLUSTER = new UUID(1, 2);
    static final Identity ALICE = new Identity("alice", List.of("users", "staff"), false);
    static final Identity BOB = new Identity("bob", List.of("users"), false);
    static final Identity CAROL = new Identity("carol", List.of("guests"), false);
    static final Identity ROOT = Identity.SYSTEM;
    static final int FST = 1;
    static final long BOOT = 100;

    private static final LeaseCommand.Placement PLACEMENT =
            new LeaseCommand.Placement(7, FST, BOOT);

    private final MemoryStore store = new MemoryStore();
    private final Namespace namespace;

    /** The uploads that the last entry ended. */
    final List<AbortedUpload> aborted = new ArrayList<>();

    private long wallNanos = 1_000_000_000_000L;
    private long leaseNanos;

    Trial() {
        this(Bounds.STANDARD);
    }

    Trial(Bounds bounds) {
        namespace = Namespace.open(store, CLUSTER, bounds);
    }

    Namespace namespace() {
        return namespace;
    }

    MemoryStore store() {
        return store;
    }

    Queries queries() {
        return namespace.queries();
    }

    /** Lets time pass, on both clocks. */
    void pass(long seconds) {
        wallNanos += seconds * 1_000_000_000L;
        leaseNanos += seconds * 1_000_000_000L;
    }

    LogEntry entry(Identity who, Command... commands) {
        var caller = new Caller(who, "127.0.0.1", new TraceId(1));
        return new LogEntry(
                CLUSTER,
                new LogEntry.BatchId(1, namespace.appliedIndex() + 1),
                wallNanos,
                leaseNanos,
                LogEntry.FEATURE_LEVEL,
                Optional.empty(),
                List.of(commands).stream().map(c -> new LogEntry.Item(caller, c)).toList());
    }

    /** Several commands in one entry. */
    List<Reply> all(Identity who, Command... commands) {
        LogEntry entry = LogEntry.decode(entry(who, commands).encode());
        aborted.clear();
        return namespace.apply(1, namespace.appliedIndex() + 1, entry, aborted::add);
    }

    Reply run(Identity who, Command command) {
        return all(who, command).getFirst();
    }

    void done(Identity who, Command command) {
        assertThat(run(who, command)).isNotInstanceOf(Reply.Refused.class);
    }

    FsError refused(Identity who, Command command) {
        Reply reply = run(who, command);
        assertThat(reply).isInstanceOf(Reply.Refused.class);
        return reply instanceof Reply.Refused(FsError error)
                ? error
                : new FsError.Internal(reply.toString());
    }

    void makeDirectory(Identity who, String path, int mode) {
        done(who, new Mutation.MakeDirectory(path(path), mode, false));
    }

    static LeaseCommand.OpenForWrite open(String path, Intent intent, long declared) {
        return new LeaseCommand.OpenForWrite(
                path(path),
                intent,
                false,
                0644,
                declared < 0 ? OptionalLong.empty() : OptionalLong.of(declared),
                PLACEMENT);
    }

    Reply.Opened opened(Identity who, LeaseCommand.OpenForWrite command) {
        Reply reply = run(who, command);
        assertThat(reply).isInstanceOf(Reply.Opened.class);
        return reply instanceof Reply.Opened opened
                ? opened
                : new Reply.Opened(new LeaseRef(0, "", 0, 0), 0, 0, 0, 0, 0);
    }

    LeaseRef upload(Identity who, String path, Intent intent, long declared) {
        return opened(who, open(path, intent, declared)).lease();
    }

    static LeaseCommand.Commit commit(LeaseRef lease, long size) {
        return new LeaseCommand.Commit(lease, size, List.of(), Optional.empty());
    }

    /** A whole file, from open to commit. */
    LeaseRef file(Identity who, String path, long size) {
        LeaseRef lease = upload(who, path, Intent.REPLACE, size);
        done(who, commit(lease, size));
        return lease;
    }

    /** What an operator's recount of every node would find wrong now. */
    List<Recount.Difference> differences() {
        try (Snapshot snapshot = namespace.snapshot()) {
            Recount recount = Recount.ofAll(snapshot);
            while (!recount.step(2)) {}
            return recount.compare().differences();
        }
    }

    void quota(String path, long limitBytes, long limitFiles) {
        done(
                ROOT,
                new Mutation.SetQuota(
                        path(path),
                        QuotaKind.PROJECT,
                        "",
                        OptionalLong.of(limitBytes),
                        OptionalLong.of(limitFiles)));
    }

    static FleetCommand hello(long boot) {
        return new FleetCommand.RegisterFst(
                new FstAddress(FST, "localhost", 1095, 8081), boot, List.of());
    }

    void register(long boot) {
        done(ROOT, hello(boot));
    }

    FileStatus stat(String path) {
        return namespace.queries().stat(ROOT, path(path));
    }

    boolean exists(String path) {
        FsPath at = path(path);
        return namespace.queries().list(ROOT, at.parent(), "", 10_000).entries().stream()
                .anyMatch(entry -> entry.name().equals(at.name()));
    }

    /** What the project's row of the root counts. */
    QuotaRow total() {
        return namespace.queries().total();
    }

    int garbage() {
        return namespace.queries().garbage(Optional.empty(), 1000).size();
    }

    static FsPath path(String text) {
        return FsPath.parse(text);
    }
}
