package org.cepheus.domain.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;

/**
 * The bytes of commands: a type, a version, and tagged fields. Old bytes are kept as fixtures and
 * must decode for ever; a type, version or field that is not known stops the reader.
 */
public final class CommandCodec {
    private static final int VERSION = 1;
    private static final int MAX_LIST = 100_000;

    private CommandCodec() {}

    /** Type, version, fields. */
    public static byte[] encode(Command command) {
        var out = new ByteWriter(96);
        out.u8(type(command)).u8(VERSION);
        return writeFields(command, new FieldWriter(out)).toBytes();
    }

    private static int type(Command command) {
        return switch (command) {
            case Mutation.MakeDirectory _ -> 1;
            case Mutation.RemoveFile _ -> 2;
            case Mutation.RemoveDirectory _ -> 3;
            case Mutation.Rename _ -> 4;
            case Mutation.SetMode _ -> 5;
            case Mutation.SetOwner _ -> 6;
            case Mutation.SetModified _ -> 7;
            case Mutation.SetAttribute _ -> 8;
            case Mutation.RemoveAttribute _ -> 9;
            case Mutation.SetQuota _ -> 10;
            case Mutation.RemoveQuota _ -> 11;
            case Mutation.ChangeAttributes _ -> 12;
            case Mutation.IfVersion _ -> 14;
            case Mutation.SetDefaultQuota _ -> 13;
            case LeaseCommand.OpenForWrite _ -> 20;
            case LeaseCommand.ExtendReservation _ -> 21;
            case LeaseCommand.Commit _ -> 22;
            case LeaseCommand.Abort _ -> 23;
            case FleetCommand.RegisterFst _ -> 40;
            case FleetCommand.RenewSession _ -> 41;
            case FleetCommand.ExpireLeases _ -> 42;
            case FleetCommand.CollectGarbage _ -> 43;
            case FleetCommand.SettleFile _ -> 44;
            case QuotaCommand.AddCounted _ -> 60;
            case OperatorCommand.SetState _ -> 70;
            case OperatorCommand.Once _ -> 71;
        };
    }

    private static FieldWriter writeFields(Command command, FieldWriter w) {
        return switch (command) {
            case Mutation m -> writeMutation(m, w.text(1, m.path().value()));
            case LeaseCommand l -> writeLease(l, w);
            case FleetCommand f -> writeFleet(f, w);
            case QuotaCommand q -> QuotaCodec.write(q, w);
            case OperatorCommand o -> OperatorCodec.write(o, w);
        };
    }

    private static FieldWriter writeMutation(Mutation mutation, FieldWriter w) {
        return switch (mutation) {
            case Mutation.MakeDirectory c -> w.number(2, c.mode()).flag(3, c.parents());
            case Mutation.RemoveFile _, Mutation.RemoveDirectory _, Mutation.RemoveQuota _ -> w;
            case Mutation.Rename c -> w.text(2, c.target().value()).flag(3, c.replace());
            case Mutation.SetMode c -> w.number(2, c.mode());
            case Mutation.SetOwner c -> w.text(2, c.owner()).text(3, c.group());
            case Mutation.SetModified c -> w.number(2, DomainCodec.nanos(c.modified()));
            case Mutation.SetAttribute c ->
                    w.text(2, c.name()).bytes(3, c.value().toArray()).flag(4, c.onlyNew());
            case Mutation.RemoveAttribute c -> w.text(2, c.name());
            case Mutation.ChangeAttributes c -> w.bytes(2, changes(c.changes()));
            case Mutation.IfVersion c -> w.number(2, c.version()).bytes(3, encode(c.change()));
            case Mutation.SetQuota c ->
                    QuotaCodec.write(
                            c.limits(), w.number(2, c.kind().code()).text(3, c.principal()));
            case Mutation.SetDefaultQuota c ->
                    QuotaCodec.write(c.limits(), w.number(2, c.kind().code()));
        };
    }

    private static FieldWriter writeLease(LeaseCommand command, FieldWriter w) {
        return switch (command) {
            case LeaseCommand.OpenForWrite c ->
                    w.text(1, c.path().value())
                            .number(2, c.intent().code())
                            .flag(3, c.makeParents())
                            .number(4, c.mode())
                            .number(5, c.declaredSizeBytes())
                            .number(6, c.placement().volumeId())
                            .number(7, c.placement().fstId())
                            .number(8, c.placement().bootId());
            case LeaseCommand.ExtendReservation c ->
                    w.bytes(1, DomainCodec.encode(c.lease())).number(2, c.wantedBytes());
            case LeaseCommand.Commit c -> {
                w.bytes(1, DomainCodec.encode(c.lease()))
                        .number(2, c.sizeBytes())
                        .bytes(3, DomainCodec.encodeChecksums(c.checksums()));
                c.modified().ifPresent(time -> w.number(4, DomainCodec.nanos(time)));
                yield w.number(5, c.onlyOver());
            }
            case LeaseCommand.Abort c ->
                    w.bytes(1, DomainCodec.encode(c.lease())).text(2, c.reason());
        };
    }

    private static FieldWriter writeFleet(FleetCommand command, FieldWriter w) {
        return switch (command) {
            case FleetCommand.RegisterFst c ->
                    w.bytes(1, DomainCodec.encode(c.address()))
                            .number(2, c.bootId())
                            .bytes(3, volumes(c.volumes()));
            case FleetCommand.RenewSession c ->
                    w.number(1, c.fstId())
                            .number(2, c.bootId())
                            .bytes(3, DomainCodec.encodeLeaseRefs(c.opened()));
            case FleetCommand.ExpireLeases c -> w.number(1, c.max());
            case FleetCommand.SettleFile c ->
                    w.number(1, c.inode())
                            .number(2, c.dataId())
                            .number(3, c.sizeBytes())
                            .number(4, DomainCodec.nanos(c.modified()));
            case FleetCommand.CollectGarbage c ->
                    w.number(1, c.volumeId()).bytes(2, DomainCodec.encodeNumbers(c.dataIds()));
        };
    }

    /**
     * Reads one command.
     *
     * @throws DecodeException for anything not written by {@link #encode} of this or an older
     *     version
     */
    public static Command decode(byte[] bytes) {
        var in = new ByteReader(bytes);
        int type = in.u8();
        int version = in.u8();
        if (version != VERSION) {
            throw new DecodeException(
                    "command type %d has version %d, known is %d"
                            .formatted(type, version, VERSION));
        }
        var fields = new FieldReader(in);
        Command command = type < 20 ? mutation(type, fields) : systemCommand(type, fields);
        fields.done();
        return command;
    }

    private static Mutation mutation(int type, FieldReader f) {
        FsPath path = FsPath.parse(f.text(1));
        return switch (type) {
            case 1 -> new Mutation.MakeDirectory(path, f.integer(2), f.flag(3));
            case 2 -> new Mutation.RemoveFile(path);
            case 3 -> new Mutation.RemoveDirectory(path);
            case 4 -> new Mutation.Rename(path, FsPath.parse(f.text(2)), f.flag(3));
            case 5 -> new Mutation.SetMode(path, f.integer(2));
            case 6 -> new Mutation.SetOwner(path, f.optionalText(2), f.optionalText(3));
            case 7 -> new Mutation.SetModified(path, DomainCodec.instant(f.number(2)));
            case 8 ->
                    new Mutation.SetAttribute(path, f.text(2), Bytes.copyOf(f.bytes(3)), f.flag(4));
            case 9 -> new Mutation.RemoveAttribute(path, f.text(2));
            case 10 ->
                    new Mutation.SetQuota(
                            path,
                            DomainCodec.one(QuotaKind.values(), f.integer(2)),
                            f.text(3),
                            QuotaCodec.change(f));
            case 11 -> new Mutation.RemoveQuota(path);
            case 12 -> new Mutation.ChangeAttributes(path, changes(f.bytes(2)));
            case 14 -> new Mutation.IfVersion(f.number(2), conditional(path, f.bytes(3)));
            case 13 ->
                    new Mutation.SetDefaultQuota(
                            path,
                            DomainCodec.one(QuotaKind.values(), f.integer(2)),
                            QuotaCodec.change(f));
            default -> throw unknown(type);
        };
    }

    private static Mutation conditional(FsPath path, byte[] bytes) {
        if (decode(bytes) instanceof Mutation change
                && !(change instanceof Mutation.IfVersion)
                && change.path().equals(path)) {
            return change;
        }
        throw new DecodeException("what is to be done on a condition is no change of " + path);
    }

    private static Command systemCommand(int type, FieldReader f) {
        return switch (type) {
            case 20 -> openForWrite(f);
            case 21 ->
                    new LeaseCommand.ExtendReservation(
                            DomainCodec.leaseRef(f.bytes(1)), f.number(2));
            case 22 -> commit(f);
            case 23 -> new LeaseCommand.Abort(DomainCodec.leaseRef(f.bytes(1)), f.text(2));
            case 40 ->
                    new FleetCommand.RegisterFst(
                            DomainCodec.fstAddress(f.bytes(1)), f.number(2), volumes(f.bytes(3)));
            case 41 ->
                    new FleetCommand.RenewSession(
                            f.integer(1), f.number(2), DomainCodec.leaseRefs(f.bytes(3)));
            case 42 -> new FleetCommand.ExpireLeases(f.integer(1));
            case 43 ->
                    new FleetCommand.CollectGarbage(f.integer(1), DomainCodec.numbers(f.bytes(2)));
            case 44 ->
                    new FleetCommand.SettleFile(
                            f.number(1),
                            f.number(2),
                            f.number(3),
                            DomainCodec.instant(f.number(4)));
            case 60 -> QuotaCodec.addCounted(f);
            case 70 -> OperatorCodec.setState(f);
            case 71 -> OperatorCodec.once(f);
            default -> throw unknown(type);
        };
    }

    private static LeaseCommand openForWrite(FieldReader f) {
        OptionalLong declared = f.optionalNumber(5);
        return new LeaseCommand.OpenForWrite(
                FsPath.parse(f.text(1)),
                DomainCodec.one(LeaseCommand.Intent.values(), f.integer(2)),
                f.flag(3),
                f.integer(4),
                declared,
                new LeaseCommand.Placement(f.integer(6), f.integer(7), f.number(8)));
    }

    private static LeaseCommand commit(FieldReader f) {
        OptionalLong modified = f.optionalNumber(4);
        return new LeaseCommand.Commit(
                DomainCodec.leaseRef(f.bytes(1)),
                f.number(2),
                DomainCodec.checksums(f.bytes(3)),
                modified.isPresent()
                        ? Optional.of(DomainCodec.instant(modified.getAsLong()))
                        : Optional.empty(),
                f.optionalNumber(5));
    }

    private static byte[] changes(List<Mutation.AttributeChange> changes) {
        var w = new ByteWriter().varint(changes.size());
        for (Mutation.AttributeChange change : changes) {
            w.text(change.name()).u8(change.value().isPresent() ? 1 : 0);
            change.value().ifPresent(value -> w.blob(value.toArray()));
        }
        return w.toBytes();
    }

    private static List<Mutation.AttributeChange> changes(byte[] bytes) {
        var r = new ByteReader(bytes);
        var changes = new ArrayList<Mutation.AttributeChange>();
        for (int n = r.count(Mutation.MAX_CHANGES); n > 0; n--) {
            String name = r.text();
            changes.add(
                    new Mutation.AttributeChange(
                            name,
                            r.u8() == 0 ? Optional.empty() : Optional.of(Bytes.copyOf(r.blob()))));
        }
        if (r.hasMore()) {
            throw new DecodeException("%d bytes too many".formatted(r.remaining()));
        }
        return changes;
    }

    private static byte[] volumes(List<FleetCommand.Volume> volumes) {
        var w = new ByteWriter().varint(volumes.size());
        volumes.forEach(v -> w.varint(v.volumeId()).text(v.uuid()));
        return w.toBytes();
    }

    private static List<FleetCommand.Volume> volumes(byte[] bytes) {
        var r = new ByteReader(bytes);
        var volumes = new ArrayList<FleetCommand.Volume>();
        for (int n = r.count(MAX_LIST); n > 0; n--) {
            volumes.add(new FleetCommand.Volume(r.count(Integer.MAX_VALUE), r.text()));
        }
        return volumes;
    }

    private static DecodeException unknown(int type) {
        return new DecodeException(
                "command type " + type + " is unknown: written by a newer version?");
    }
}
