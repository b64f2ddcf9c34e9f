package org.cepheus.domain.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;

/** Commands and entries with any values that their records take, from a seed. */
final class RandomCommands {
    private final Random random;

    RandomCommands(long seed) {
        this.random = new Random(seed);
    }

    /** One command of every kind. */
    List<Command> oneOfEach() {
        return List.of(
                new Mutation.MakeDirectory(path(), random.nextInt(), random.nextBoolean()),
                new Mutation.RemoveFile(path()),
                new Mutation.RemoveDirectory(path()),
                new Mutation.Rename(path(), path(), random.nextBoolean()),
                new Mutation.SetMode(path(), random.nextInt()),
                new Mutation.SetOwner(path(), maybe(text()), maybe(text())),
                new Mutation.SetModified(path(), time()),
                new Mutation.SetAttribute(path(), text(), bytes(), random.nextBoolean()),
                new Mutation.RemoveAttribute(path(), text()),
                new Mutation.ChangeAttributes(
                        path(),
                        List.of(
                                new Mutation.AttributeChange("a" + text(), maybe(bytes())),
                                new Mutation.AttributeChange("b" + text(), maybe(bytes())))),
                new Mutation.SetQuota(path(), one(QuotaKind.values()), text(), limits()),
                new Mutation.SetDefaultQuota(path(), one(QuotaKind.values()), limits()),
                new Mutation.RemoveQuota(path()),
                new Mutation.IfVersion(
                        random.nextLong(), new Mutation.SetMode(path(), random.nextInt())),
                new LeaseCommand.OpenForWrite(
                        path(),
                        one(LeaseCommand.Intent.values()),
                        random.nextBoolean(),
                        random.nextInt(),
                        maybeNumber(),
                        new LeaseCommand.Placement(natural(), natural(), random.nextLong())),
                new LeaseCommand.ExtendReservation(lease(), random.nextLong()),
                new LeaseCommand.Commit(
                        lease(), random.nextLong(), checksums(), maybe(time()), maybeNumber()),
                new LeaseCommand.Abort(lease(), text()),
                new FleetCommand.RegisterFst(
                        new FstAddress(natural(), text(), natural(), natural()),
                        random.nextLong(),
                        List.of(new FleetCommand.Volume(natural(), text()))),
                new FleetCommand.RenewSession(
                        natural(), random.nextLong(), List.of(lease(), lease())),
                new FleetCommand.ExpireLeases(random.nextInt()),
                new FleetCommand.CollectGarbage(
                        natural(), List.of(random.nextLong(), random.nextLong())),
                new FleetCommand.SettleFile(
                        random.nextLong(), random.nextLong(), random.nextLong(), time()),
                new QuotaCommand.AddCounted(
                        random.nextLong(),
                        random.nextLong(),
                        random.nextLong(),
                        List.of(found(), found()),
                        random.nextBoolean()),
                new OperatorCommand.SetState(
                        new ServiceTarget(one(ServiceTarget.Kind.values()), natural()),
                        one(ServiceState.values())),
                new OperatorCommand.Once(
                        new OnceKey("k" + natural(), Bytes.copyOf(new byte[] {1, 2})),
                        new Mutation.RemoveFile(path())));
    }

    private QuotaChange limits() {
        return new QuotaChange(maybeNumber(), maybeNumber(), maybeNumber(), maybeNumber());
    }

    private QuotaCommand.Found found() {
        return new QuotaCommand.Found(
                one(QuotaKind.values()),
                natural(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong());
    }

    /** An entry with some of them. */
    LogEntry entry() {
        var items = new ArrayList<LogEntry.Item>();
        for (Command command : oneOfEach()) {
            if (random.nextInt(4) == 0) {
                items.add(new LogEntry.Item(caller(), command));
            }
        }
        return new LogEntry(
                new UUID(random.nextLong(), random.nextLong()),
                new LogEntry.BatchId(random.nextLong(), random.nextLong()),
                random.nextLong(),
                random.nextLong(),
                LogEntry.FEATURE_LEVEL,
                maybe(new LogEntry.ChainCheck(random.nextLong(), random.nextLong())),
                items);
    }

    private Caller caller() {
        var identity = new Identity("u" + text(), List.of("g" + text(), "h"), random.nextBoolean());
        return new Caller(identity, text(), new TraceId(random.nextLong()));
    }

    private FsPath path() {
        FsPath path = FsPath.ROOT;
        for (int depth = random.nextInt(4); depth > 0; depth--) {
            path = path.child("n" + text());
        }
        return path;
    }

    private String text() {
        return one(new String[] {"", "a", "büro", "日本", "?&=%20 +", "x".repeat(200)});
    }

    private LeaseRef lease() {
        return new LeaseRef(random.nextLong(), text(), random.nextLong(), random.nextLong());
    }

    private List<Checksum> checksums() {
        var sums = new ArrayList<Checksum>();
        for (ChecksumType type : ChecksumType.values()) {
            if (random.nextBoolean()) {
                byte[] sum = new byte[type.byteCount()];
                random.nextBytes(sum);
                sums.add(new Checksum(type, HexFormat.of().formatHex(sum)));
            }
        }
        return sums;
    }

    private Bytes bytes() {
        byte[] value = new byte[random.nextInt(300)];
        random.nextBytes(value);
        return Bytes.copyOf(value);
    }

    private Instant time() {
        return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
    }

    private int natural() {
        return random.nextInt(Integer.MAX_VALUE);
    }

    private OptionalLong maybeNumber() {
        return random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    private <T> T one(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
