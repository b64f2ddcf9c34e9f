package org.cepheus.domain.codec;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.TraceId;

/**
 * The bytes of the domain's values, the same in the log, in tickets and on the control connection.
 */
public final class DomainCodec {
    private static final int MAX_LIST = 100_000;

    private DomainCodec() {}

    public static byte[] encode(Caller caller) {
        var w = new ByteWriter();
        w.text(caller.identity().user());
        w.u8(caller.identity().superuser() ? 1 : 0);
        texts(w, caller.identity().groups());
        w.text(caller.address()).i64(caller.trace().value());
        return w.toBytes();
    }

    public static Caller caller(byte[] bytes) {
        var r = new ByteReader(bytes);
        String user = r.text();
        boolean superuser = r.u8() != 0;
        return new Caller(new Identity(user, texts(r), superuser), r.text(), new TraceId(r.i64()));
    }

    public static byte[] encode(LeaseRef ref) {
        return new ByteWriter()
                .i64(ref.parent())
                .i64(ref.id())
                .i64(ref.inode())
                .text(ref.name())
                .toBytes();
    }

    public static LeaseRef leaseRef(byte[] bytes) {
        var r = new ByteReader(bytes);
        long parent = r.i64();
        long id = r.i64();
        long inode = r.i64();
        return new LeaseRef(parent, r.text(), id, inode);
    }

    public static byte[] encodeLeaseRefs(List<LeaseRef> refs) {
        var w = new ByteWriter().varint(refs.size());
        refs.forEach(ref -> w.blob(encode(ref)));
        return w.toBytes();
    }

    public static List<LeaseRef> leaseRefs(byte[] bytes) {
        var r = new ByteReader(bytes);
        var refs = new ArrayList<LeaseRef>();
        for (int n = r.count(MAX_LIST); n > 0; n--) {
            refs.add(leaseRef(r.blob()));
        }
        return refs;
    }

    public static byte[] encodeNumbers(List<Long> numbers) {
        var w = new ByteWriter().varint(numbers.size());
        numbers.forEach(w::varint);
        return w.toBytes();
    }

    public static List<Long> numbers(byte[] bytes) {
        var r = new ByteReader(bytes);
        var numbers = new ArrayList<Long>();
        for (int n = r.count(MAX_LIST); n > 0; n--) {
            numbers.add(r.varint());
        }
        return numbers;
    }

    public static byte[] encodeChecksums(List<Checksum> checksums) {
        var w = new ByteWriter().varint(checksums.size());
        checksums.forEach(sum -> {
            w.u8(sum.type().code());
            w.raw(HexFormat.of().parseHex(sum.hex()));
        });
        return w.toBytes();
    }

    public static List<Checksum> checksums(byte[] bytes) {
        var r = new ByteReader(bytes);
        var sums = new ArrayList<Checksum>(2);
        for (int n = r.count(16); n > 0; n--) {
            ChecksumType type = checksumType(r.u8());
            sums.add(new Checksum(type, HexFormat.of().formatHex(r.raw(type.byteCount()))));
        }
        return sums;
    }

    public static ChecksumType checksumType(int code) {
        return one(ChecksumType.values(), code);
    }

    public static byte[] encode(FileStatus status) {
        var access = status.access();
        return new FieldWriter()
                .number(1, status.kind().code())
                .number(2, status.inode())
                .number(3, status.contentVersion())
                .number(4, status.sizeBytes())
                .number(5, status.mode())
                .text(6, status.owner())
                .text(7, status.group())
                .number(8, nanos(status.modified()))
                .number(9, nanos(status.changed()))
                .number(10, nanos(status.born()))
                .bytes(11, encodeChecksums(status.checksums()))
                .flag(12, status.underUpdate())
                .flag(13, access.mayRead())
                .flag(14, access.mayWrite())
                .flag(15, access.maySearch())
                .flag(16, status.mayHaveAttributes())
                .toBytes();
    }

    public static FileStatus fileStatus(byte[] bytes) {
        var f = new FieldReader(bytes);
        return new FileStatus(
                one(FileKind.values(), f.integer(1)),
                f.number(2),
                f.number(3),
                f.number(4),
                f.integer(5),
                f.text(6),
                f.text(7),
                instant(f.number(8)),
                instant(f.number(9)),
                instant(f.number(10)),
                checksums(f.bytes(11)),
                f.flag(12),
                new AccessBits(f.flag(13), f.flag(14), f.flag(15)),
                f.flag(16));
    }

    public static byte[] encode(FstAddress address) {
        return new FieldWriter()
                .number(1, address.fstId())
                .text(2, address.host())
                .number(3, address.xrootdPort())
                .number(4, address.httpPort())
                .toBytes();
    }

    public static FstAddress fstAddress(byte[] bytes) {
        var f = new FieldReader(bytes);
        return new FstAddress(f.integer(1), f.text(2), f.integer(3), f.integer(4));
    }

    public static byte[] encode(MgmAddress address) {
        return new FieldWriter()
                .text(1, address.host())
                .number(2, address.xrootdPort())
                .number(3, address.httpPort())
                .number(4, address.adminPort())
                .number(5, address.controlPort())
                .toBytes();
    }

    public static MgmAddress mgmAddress(byte[] bytes) {
        var f = new FieldReader(bytes);
        return new MgmAddress(f.text(1), f.integer(2), f.integer(3), f.integer(4), f.integer(5));
    }

    /** The kind by number, the message, and what the kind carries beyond it. */
    public static byte[] encode(FsError error) {
        var w = new FieldWriter().number(1, kind(error)).text(2, error.message());
        switch (error) {
            case FsError.Overloaded e -> w.number(3, e.retryAfterSeconds());
            case FsError.Unavailable e -> w.number(3, e.retryAfterSeconds());
            case FsError.NotLeader e -> e.leader().ifPresent(at -> w.bytes(4, encode(at)));
            case FsError.QuotaExceeded e ->
                    w.text(5, e.node().value())
                            .number(6, e.kind().code())
                            .text(7, e.principal())
                            .number(8, e.unit().code())
                            .number(9, e.limit())
                            .number(10, e.used())
                            .number(11, e.reserved())
                            .number(12, e.wanted());
            case FsError.NotFound _,
                    FsError.AlreadyExists _,
                    FsError.NotDirectory _,
                    FsError.IsDirectory _,
                    FsError.NotEmpty _,
                    FsError.PermissionDenied _,
                    FsError.InvalidArgument _,
                    FsError.TooLong _,
                    FsError.Unsupported _,
                    FsError.FileLocked _,
                    FsError.LeaseGone _,
                    FsError.SizeMismatch _,
                    FsError.ChecksumMismatch _,
                    FsError.NoSpace _,
                    FsError.IoFailure _,
                    FsError.TicketInvalid _,
                    FsError.TicketExpired _,
                    FsError.CrossDevice _,
                    FsError.Internal _ -> {}
        }
        return w.toBytes();
    }

    private static int kind(FsError error) {
        return switch (error) {
            case FsError.NotFound _ -> 1;
            case FsError.AlreadyExists _ -> 2;
            case FsError.NotDirectory _ -> 3;
            case FsError.IsDirectory _ -> 4;
            case FsError.NotEmpty _ -> 5;
            case FsError.PermissionDenied _ -> 6;
            case FsError.InvalidArgument _ -> 7;
            case FsError.TooLong _ -> 8;
            case FsError.Unsupported _ -> 9;
            case FsError.FileLocked _ -> 10;
            case FsError.LeaseGone _ -> 11;
            case FsError.SizeMismatch _ -> 12;
            case FsError.ChecksumMismatch _ -> 13;
            case FsError.NoSpace _ -> 14;
            case FsError.IoFailure _ -> 15;
            case FsError.TicketInvalid _ -> 16;
            case FsError.TicketExpired _ -> 17;
            case FsError.Overloaded _ -> 18;
            case FsError.Unavailable _ -> 19;
            case FsError.CrossDevice _ -> 20;
            case FsError.Internal _ -> 21;
            case FsError.NotLeader _ -> 22;
            case FsError.QuotaExceeded _ -> 23;
        };
    }

    public static FsError fsError(byte[] bytes) {
        var f = new FieldReader(bytes);
        String message = f.text(2);
        int kind = f.integer(1);
        return switch (kind) {
            case 1 -> new FsError.NotFound(message);
            case 2 -> new FsError.AlreadyExists(message);
            case 3 -> new FsError.NotDirectory(message);
            case 4 -> new FsError.IsDirectory(message);
            case 5 -> new FsError.NotEmpty(message);
            case 6 -> new FsError.PermissionDenied(message);
            case 7 -> new FsError.InvalidArgument(message);
            case 8 -> new FsError.TooLong(message);
            case 9 -> new FsError.Unsupported(message);
            case 10 -> new FsError.FileLocked(message);
            case 11 -> new FsError.LeaseGone(message);
            case 12 -> new FsError.SizeMismatch(message);
            case 13 -> new FsError.ChecksumMismatch(message);
            case 14 -> new FsError.NoSpace(message);
            case 15 -> new FsError.IoFailure(message);
            case 16 -> new FsError.TicketInvalid(message);
            case 17 -> new FsError.TicketExpired(message);
            case 18 -> new FsError.Overloaded(message, f.integer(3));
            case 19 -> new FsError.Unavailable(message, f.integer(3));
            case 20 -> new FsError.CrossDevice(message);
            case 21 -> new FsError.Internal(message);
            case 22 -> new FsError.NotLeader(f.optionalBytes(4).map(DomainCodec::mgmAddress));
            case 23 ->
                    new FsError.QuotaExceeded(
                            FsPath.parse(f.text(5)),
                            one(QuotaKind.values(), f.integer(6)),
                            f.text(7),
                            one(QuotaUnit.values(), f.integer(8)),
                            f.number(9),
                            f.number(10),
                            f.number(11),
                            f.number(12));
            default -> new FsError.Internal("error kind " + kind + ": " + message);
        };
    }

    /** The constant of that code. */
    public static <E extends Coded> E one(E[] values, int code) {
        for (E value : values) {
            if (value.code() == code) {
                return value;
            }
        }
        throw new DecodeException("code %d is none of %s".formatted(code, List.of(values)));
    }

    /** Nanoseconds since 1970; good until the year 2262. */
    public static long nanos(Instant time) {
        return Math.addExact(
                Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    public static Instant instant(long nanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }

    private static void texts(ByteWriter w, List<String> texts) {
        w.varint(texts.size());
        texts.forEach(w::text);
    }

    private static List<String> texts(ByteReader r) {
        var texts = new ArrayList<String>(4);
        for (int n = r.count(MAX_LIST); n > 0; n--) {
            texts.add(r.text());
        }
        return texts;
    }
}
