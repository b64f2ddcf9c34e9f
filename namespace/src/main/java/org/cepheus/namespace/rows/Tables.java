package org.cepheus.namespace.rows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.QuotaChange;
import org.cepheus.namespace.rows.Rows.AttributeKey;
import org.cepheus.namespace.rows.Rows.Count;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.namespace.rows.Rows.Garbage;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.PrincipalId;
import org.cepheus.namespace.rows.Rows.PrincipalName;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Rows.Unsettled;
import org.cepheus.namespace.store.Family;
import org.cepheus.quota.QuotaRow;

/** Every table: the one place that knows the bytes of keys and values. */
public final class Tables {
    private static final int VERSION = 1;

    /** The second tells how many levels there are below, the third more of a quota node. */
    private static final int DIRECTORY_VERSION = 3;

    /** The second has soft limits and tells none from unlimited. */
    private static final int QUOTA_VERSION = 2;

    public static final Table<EntryKey, Entry> ENTRIES =
            new Table<>(
                    Family.ENTRY,
                    k -> nameKey(k.parent(), k.name()),
                    Tables::entryBytes,
                    Tables::entry);

    public static final Table<Long, Directory> DIRECTORIES =
            new Table<>(Family.DIR, Tables::longKey, Tables::directoryBytes, Tables::directory);

    public static final Table<Long, Place> PLACES =
            new Table<>(
                    Family.PLACE,
                    Tables::longKey,
                    p -> head().i64(p.parent()).text(p.name()).toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new Place(r.i64(), r.text());
                    });

    public static final Table<QuotaKey, QuotaRow> QUOTAS =
            new Table<>(
                    Family.QUOTA,
                    k ->
                            new ByteWriter(16)
                                    .i64(k.node())
                                    .u8(k.kind().code())
                                    .i32(k.principal())
                                    .toBytes(),
                    Tables::quotaBytes,
                    Tables::quota);

    public static final Table<LeaseRef, Lease> LEASES =
            new Table<>(
                    Family.LEASE,
                    k ->
                            new ByteWriter(64)
                                    .raw(leasePrefix(k.parent(), k.name()))
                                    .i64(k.id())
                                    .toBytes(),
                    Tables::leaseBytes,
                    Tables::lease);

    public static final Table<GarbageKey, Garbage> GARBAGE =
            new Table<>(
                    Family.GC,
                    k -> new ByteWriter(16).i32(k.volumeId()).i64(k.dataId()).toBytes(),
                    g -> head().i64(g.inode()).i64(g.sinceNanos()).text(g.reason()).toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new Garbage(r.i64(), r.i64(), r.text());
                    });

    public static final Table<PrincipalName, PrincipalId> PRINCIPAL_IDS =
            new Table<>(
                    Family.PRINCIPAL,
                    k -> new ByteWriter(32).u8(k.kind().code()).raw(utf8(k.name())).toBytes(),
                    p -> head().u8(p.kind().code()).i32(p.id()).toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new PrincipalId(
                                DomainCodec.one(QuotaKind.values(), r.u8()), r.i32());
                    });

    public static final Table<PrincipalId, PrincipalName> PRINCIPAL_NAMES =
            new Table<>(
                    Family.PRINCIPAL,
                    k -> new ByteWriter(16).u8(0x80 | k.kind().code()).i32(k.id()).toBytes(),
                    p -> head().u8(p.kind().code()).text(p.name()).toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new PrincipalName(
                                DomainCodec.one(QuotaKind.values(), r.u8()), r.text());
                    });

    public static final Table<Integer, Fst> FSTS =
            new Table<>(
                    Family.FLEET,
                    k -> new ByteWriter(16).u8('f').i32(k).toBytes(),
                    Tables::fstBytes,
                    Tables::fst);

    public static final Table<AttributeKey, Bytes> ATTRIBUTES =
            new Table<>(
                    Family.XATTR,
                    k -> nameKey(k.inode(), k.name()),
                    v -> head().raw(v.toArray()).toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return Bytes.copyOf(r.raw(r.remaining()));
                    });

    /** The inode of a content that did not come under the one its lease named. */
    public static final Table<Long, Long> CONTENTS =
            new Table<>(
                    Family.CONTENT,
                    Tables::longKey,
                    inode -> head().i64(inode).toBytes(),
                    b -> body(b).i64());

    public static final Table<Long, Unsettled> UNSETTLED =
            new Table<>(
                    Family.UNSETTLED,
                    Tables::longKey,
                    u ->
                            head().varint(u.volumeId())
                                    .varint(u.dataId())
                                    .varint(u.fstId())
                                    .i64(u.bootId())
                                    .i64(u.sinceNanos())
                                    .toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new Unsettled(integer(r), r.varint(), integer(r), r.i64(), r.i64());
                    });

    /** The counts that are under way, by the directory of the node. */
    public static final Table<Long, Count> COUNTS =
            new Table<>(
                    Family.JOB,
                    k -> new ByteWriter(16).u8('c').i64(k).toBytes(),
                    c ->
                            head().i64(c.countId())
                                    .i64(c.sinceNanos())
                                    .varint(c.addedRows())
                                    .toBytes(),
                    b -> {
                        ByteReader r = body(b);
                        return new Count(r.i64(), r.i64(), r.varint());
                    });

    /** The only row of {@link Family#META} so far. */
    public static final Table<String, Head> HEADS =
            new Table<>(Family.META, Tables::utf8, Tables::headBytes, Tables::head);

    /** The key of the head. */
    public static final String HEAD = "head";

    private Tables() {}

    /** All keys that begin with the id. */
    public static byte[] longKey(long id) {
        return new ByteWriter(16).i64(id).toBytes();
    }

    private static byte[] nameKey(long id, String name) {
        return new ByteWriter(48).i64(id).raw(utf8(name)).toBytes();
    }

    /** All leases that claim the name. */
    public static byte[] leasePrefix(long parent, String name) {
        return new ByteWriter(48).i64(parent).raw(utf8(name)).u8(0).toBytes();
    }

    /** The name in the key of an entry or attribute. */
    public static String nameIn(byte[] key) {
        return new String(key, 8, key.length - 8, StandardCharsets.UTF_8);
    }

    /** The key of a quota row read back. */
    public static QuotaKey quotaKey(byte[] key) {
        var r = new ByteReader(key);
        return new QuotaKey(r.i64(), DomainCodec.one(QuotaKind.values(), r.u8()), r.i32());
    }

    /** The directory in the key of a count. */
    public static long countedNode(byte[] key) {
        var r = new ByteReader(key);
        r.u8();
        return r.i64();
    }

    /** The key of a garbage row read back. */
    public static GarbageKey garbageKey(byte[] key) {
        var r = new ByteReader(key);
        return new GarbageKey(r.i32(), r.i64());
    }

    /** The first key after all that begin with the prefix. */
    public static byte[] after(byte[] prefix) {
        byte[] end = prefix.clone();
        for (int i = end.length - 1; i >= 0; i--) {
            if (end[i] != (byte) 0xff) {
                end[i]++;
                return java.util.Arrays.copyOf(end, i + 1);
            }
        }
        byte[] beyond = new byte[prefix.length + 1];
        java.util.Arrays.fill(beyond, (byte) 0xff);
        return beyond;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteWriter head() {
        return new ByteWriter(96).u8(VERSION);
    }

    private static ByteReader body(byte[] bytes) {
        var r = new ByteReader(bytes);
        requireKnown(r.u8(), VERSION);
        return r;
    }

    private static void requireKnown(int version, int newest) {
        if (version < 1 || version > newest) {
            throw new DecodeException(
                    "a row has version %d, known is %d".formatted(version, newest));
        }
    }

    private static byte[] entryBytes(Entry entry) {
        return switch (entry) {
            case Entry.DirectoryLink d -> head().u8('d').varint(d.id()).toBytes();
            case Entry.Symlink s ->
                    head().u8('l')
                            .varint(s.inode())
                            .text(s.target())
                            .varint(s.owner())
                            .varint(s.group())
                            .i64(s.modifiedNanos())
                            .toBytes();
            case Entry.File f -> {
                ByteWriter w = head().u8('f');
                w.varint(f.inode()).varint(f.version()).varint(f.sizeBytes()).varint(f.mode());
                w.varint(f.owner()).varint(f.group());
                w.i64(f.modifiedNanos()).i64(f.changedNanos()).i64(f.bornNanos());
                w.blob(DomainCodec.encodeChecksums(f.checksums()));
                w.varint(f.locations().size());
                f.locations().forEach(at -> w.varint(at.volumeId()).varint(at.dataId()));
                yield w.varint(f.updating())
                        .varint(f.flags())
                        .varint(f.acl())
                        .varint(f.tier())
                        .toBytes();
            }
        };
    }

    private static Entry entry(byte[] bytes) {
        ByteReader r = body(bytes);
        int type = r.u8();
        return switch (type) {
            case 'd' -> new Entry.DirectoryLink(r.varint());
            case 'l' -> new Entry.Symlink(r.varint(), r.text(), integer(r), integer(r), r.i64());
            case 'f' -> file(r);
            default -> throw new DecodeException("entry type " + type + " is unknown");
        };
    }

    private static Entry.File file(ByteReader r) {
        long inode = r.varint();
        long version = r.varint();
        long size = r.varint();
        int mode = integer(r);
        int owner = integer(r);
        int group = integer(r);
        long modified = r.i64();
        long changed = r.i64();
        long born = r.i64();
        var checksums = DomainCodec.checksums(r.blob());
        var locations = new ArrayList<Location>(1);
        for (int n = r.count(64); n > 0; n--) {
            locations.add(new Location(integer(r), r.varint()));
        }
        long updating = r.varint();
        int flags = integer(r);
        if ((flags >>> 16 & ~(Entry.File.KNOWN_FLAGS >>> 16)) != 0) {
            throw new DecodeException("file flags %x must be understood".formatted(flags));
        }
        return new Entry.File(
                inode,
                version,
                size,
                mode,
                owner,
                group,
                modified,
                changed,
                born,
                checksums,
                locations,
                updating,
                flags,
                integer(r),
                integer(r));
    }

    private static int integer(ByteReader r) {
        return r.count(Integer.MAX_VALUE);
    }

    private static byte[] directoryBytes(Directory d) {
        return new ByteWriter(96)
                .u8(DIRECTORY_VERSION)
                .varint(d.id())
                .varint(d.parent())
                .varint(d.mode())
                .varint(d.owner())
                .varint(d.group())
                .varint(d.acl())
                .i64(d.modifiedNanos())
                .i64(d.changedNanos())
                .i64(d.bornNanos())
                .varint(d.files())
                .varint(d.directories())
                .u8(d.quota())
                .text(d.policy())
                .varint(d.levels())
                .toBytes();
    }

    private static Directory directory(byte[] bytes) {
        var r = new ByteReader(bytes);
        int version = r.u8();
        requireKnown(version, DIRECTORY_VERSION);
        return new Directory(
                r.varint(),
                r.varint(),
                integer(r),
                integer(r),
                integer(r),
                integer(r),
                r.i64(),
                r.i64(),
                r.i64(),
                r.varint(),
                r.varint(),
                quotaFlags(r.u8()),
                r.text(),
                version < 2 ? Directory.UNKNOWN_LEVELS : integer(r));
    }

    private static int quotaFlags(int flags) {
        if ((flags & ~Directory.KNOWN_QUOTA) != 0) {
            throw new DecodeException("quota flags %x of a directory are unknown".formatted(flags));
        }
        return flags;
    }

    private static byte[] quotaBytes(QuotaRow q) {
        return limits(new ByteWriter(64).u8(QUOTA_VERSION), q.limits())
                .varint(q.usedBytes())
                .varint(q.usedFiles())
                .varint(q.reservedBytes())
                .varint(q.reservedFiles())
                .toBytes();
    }

    private static QuotaRow quota(byte[] bytes) {
        var r = new ByteReader(bytes);
        int version = r.u8();
        requireKnown(version, QUOTA_VERSION);
        QuotaLimits limits = version < 2 ? firstLimits(r) : limits(r);
        return new QuotaRow(limits, r.varint(), r.varint(), r.varint(), r.varint());
    }

    // From 0, because negative numbers are long.
    private static ByteWriter limits(ByteWriter w, QuotaLimits limits) {
        return w.varint(limits.bytes() - QuotaLimits.INHERITED)
                .varint(limits.files() - QuotaLimits.INHERITED)
                .varint(limits.softBytes() - QuotaLimits.INHERITED)
                .varint(limits.softFiles() - QuotaLimits.INHERITED);
    }

    private static QuotaLimits limits(ByteReader r) {
        return new QuotaLimits(
                r.varint() + QuotaLimits.INHERITED,
                r.varint() + QuotaLimits.INHERITED,
                r.varint() + QuotaLimits.INHERITED,
                r.varint() + QuotaLimits.INHERITED);
    }

    // There were no defaults, so that -1 was what nobody had set.
    private static QuotaLimits firstLimits(ByteReader r) {
        return QuotaLimits.NONE.with(QuotaChange.hard(firstLimit(r.i64()), firstLimit(r.i64())));
    }

    private static OptionalLong firstLimit(long limit) {
        return limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    private static byte[] leaseBytes(Lease l) {
        return head().blob(DomainCodec.encode(l.ref()))
                .u8(l.intent().code())
                .varint(l.volumeId())
                .varint(l.dataId())
                .varint(l.mode())
                .varint(l.owner())
                .varint(l.group())
                .i64(l.declaredSizeBytes().orElse(-1))
                .varint(l.reservedBytes())
                .varint(l.reservedFiles())
                .varint(l.fstId())
                .i64(l.bootId())
                .u8(l.opened() ? 1 : 0)
                .i64(l.grantedNanos())
                .i64(l.sinceNanos())
                .blob(DomainCodec.encode(l.caller()))
                .toBytes();
    }

    private static Lease lease(byte[] bytes) {
        ByteReader r = body(bytes);
        LeaseRef ref = DomainCodec.leaseRef(r.blob());
        var intent = DomainCodec.one(LeaseCommand.Intent.values(), r.u8());
        int volumeId = integer(r);
        long dataId = r.varint();
        int mode = integer(r);
        int owner = integer(r);
        int group = integer(r);
        long declared = r.i64();
        return new Lease(
                ref,
                intent,
                volumeId,
                dataId,
                mode,
                owner,
                group,
                declared < 0 ? OptionalLong.empty() : OptionalLong.of(declared),
                r.varint(),
                r.varint(),
                integer(r),
                r.i64(),
                r.u8() != 0,
                r.i64(),
                r.i64(),
                DomainCodec.caller(r.blob()));
    }

    private static byte[] fstBytes(Fst fst) {
        ByteWriter w = head().blob(DomainCodec.encode(fst.address()));
        w.i64(fst.bootId()).i64(fst.renewedNanos()).varint(fst.volumes().size());
        fst.volumes().forEach(v -> w.varint(v.volumeId()).text(v.uuid()));
        return w.toBytes();
    }

    private static Fst fst(byte[] bytes) {
        ByteReader r = body(bytes);
        var address = DomainCodec.fstAddress(r.blob());
        long boot = r.i64();
        long renewed = r.i64();
        List<FleetCommand.Volume> volumes = new ArrayList<>();
        for (int n = r.count(100_000); n > 0; n--) {
            volumes.add(new FleetCommand.Volume(integer(r), r.text()));
        }
        return new Fst(address, boot, renewed, volumes);
    }

    private static byte[] headBytes(Head h) {
        return head().uuid(h.cluster())
                .varint(h.schema())
                .varint(h.restoreEpoch())
                .i64(h.term())
                .i64(h.index())
                .i64(h.nextId())
                .i32(h.nextPrincipal())
                .varint(h.directories())
                .i64(h.wallNanos())
                .i64(h.leaseNanos())
                .i64(h.chainHash())
                .toBytes();
    }

    private static Head head(byte[] bytes) {
        ByteReader r = body(bytes);
        UUID cluster = r.uuid();
        int schema = integer(r);
        if (schema != Head.SCHEMA) {
            throw new DecodeException(
                    "the store has schema %d, known is %d".formatted(schema, Head.SCHEMA));
        }
        return new Head(
                cluster,
                schema,
                integer(r),
                r.i64(),
                r.i64(),
                r.i64(),
                r.i32(),
                r.varint(),
                r.i64(),
                r.i64(),
                r.i64());
    }
}
