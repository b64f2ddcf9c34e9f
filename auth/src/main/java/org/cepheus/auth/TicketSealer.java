package org.cepheus.auth;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;

/**
 * Turns tickets into text that only the MGM can make and only one FST can use: {@code
 * <fstId>.<base64url(payload, 16 bytes of HMAC-SHA256)>}. The payload is a version, the key id and
 * tagged fields. Nothing in the alphabet means anything in a URL.
 */
public final class TicketSealer {
    /** The longest text that is looked at: the deepest path and its caller fit. */
    public static final int MAX_TEXT_CHARS = 128 * 1024;

    private static final int VERSION = 1;
    private static final int MAC_BYTES = 16;
    private static final int HEAD_BYTES = 2;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    /**
     * The last characters of unpadded base64url by the text's length modulo 4: those whose spare
     * bits are zero, so that one ticket has one text.
     */
    private static final List<String> LAST_CHARS =
            List.of(
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
                    "",
                    "AQgw",
                    "AEIMQUYcgkosw048");

    private TicketSealer() {}

    /** Seals for the FST that the key belongs to, which must be the ticket's. */
    public static String seal(Ticket ticket, FstKey key) {
        if (ticket.fstId() != key.fstId()) {
            throw new IllegalArgumentException(
                    "ticket for FST %d under the %s".formatted(ticket.fstId(), key));
        }
        var out = new ByteWriter(256).u8(VERSION).u8(key.keyId());
        byte[] payload = write(ticket, new FieldWriter(out)).toBytes();
        byte[] sealed = Arrays.copyOf(payload, payload.length + MAC_BYTES);
        byte[] mac = key.ticketMac(payload, payload.length, MAC_BYTES);
        System.arraycopy(mac, 0, sealed, payload.length, MAC_BYTES);
        return ticket.fstId() + "." + ENCODER.encodeToString(sealed);
    }

    /**
     * Opens a ticket that somebody brings for the first time.
     *
     * @param cluster the cluster this FST belongs to
     * @throws FsException TicketInvalid, or TicketExpired if it was good before {@code now}
     */
    public static Ticket open(String text, FstKey key, UUID cluster, Instant now) {
        Ticket ticket = openAgain(text, key, cluster);
        requireFresh(ticket, now);
        return ticket;
    }

    /**
     * Refuses an opened ticket that is brought for the first time too late.
     *
     * @throws FsException TicketExpired
     */
    public static void requireFresh(Ticket ticket, Instant now) {
        if (now.isAfter(ticket.expiry())) {
            throw new FsException(
                    new FsError.TicketExpired(
                            "the ticket for %s was good until %s; open the file again at the MGM"
                                    .formatted(ticket.path(), ticket.expiry())));
        }
    }

    /**
     * Opens a ticket whatever its expiry: for a client that comes back to an upload that is still
     * held here.
     *
     * @throws FsException TicketInvalid
     */
    public static Ticket openAgain(String text, FstKey key, UUID cluster) {
        OptionalInt fst = fstIdOf(text);
        if (fst.isEmpty() || text.length() > MAX_TEXT_CHARS) {
            throw malformed();
        }
        if (fst.getAsInt() != key.fstId()) {
            throw invalid(
                    "the ticket is for FST %d, this is FST %d"
                            .formatted(fst.getAsInt(), key.fstId()));
        }
        byte[] sealed = decode(text.substring(text.indexOf('.') + 1));
        int length = sealed.length - MAC_BYTES;
        if (length < HEAD_BYTES) {
            throw malformed();
        }
        byte[] mac = Arrays.copyOfRange(sealed, length, sealed.length);
        if (!MessageDigest.isEqual(mac, key.ticketMac(sealed, length, MAC_BYTES))) {
            throw invalid("the ticket was not made by this cluster for this FST, or was changed");
        }
        Ticket ticket = read(new ByteReader(sealed, 0, length), key);
        if (!ticket.cluster().equals(cluster)) {
            throw invalid(
                    "the ticket is of cluster %s, this is %s".formatted(ticket.cluster(), cluster));
        }
        return ticket;
    }

    /** Which FST a ticket names, without any proof; empty if the text is no ticket. */
    public static OptionalInt fstIdOf(String text) {
        int dot = text.indexOf('.');
        if (dot < 1 || dot > 10) {
            return OptionalInt.empty();
        }
        long id = 0;
        for (int i = 0; i < dot; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return OptionalInt.empty();
            }
            id = id * 10 + (c - '0');
        }
        return id <= Integer.MAX_VALUE ? OptionalInt.of((int) id) : OptionalInt.empty();
    }

    private static byte[] decode(String base64) {
        int length = base64.length();
        if (length == 0 || LAST_CHARS.get(length % 4).indexOf(base64.charAt(length - 1)) < 0) {
            throw malformed();
        }
        try {
            return DECODER.decode(base64);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    private static FieldWriter write(Ticket ticket, FieldWriter w) {
        var sums = new ByteWriter(4);
        ticket.checksums().forEach(type -> sums.u8(type.code()));
        ByteWriter cluster = new ByteWriter(16).uuid(ticket.cluster());
        w.bytes(1, cluster.toBytes())
                .number(2, ticket.fstId())
                .text(3, ticket.path().value())
                .number(4, ticket.inode())
                .number(5, ticket.location().volumeId())
                .number(6, ticket.location().dataId())
                .number(7, ticket.restoreEpoch());
        ticket.lease().ifPresent(lease -> w.bytes(8, DomainCodec.encode(lease)));
        if (ticket.contentVersion() != ticket.location().dataId()) {
            w.number(17, ticket.contentVersion());
        }
        return w.flag(9, ticket.inPlace())
                .number(10, ticket.sizeBytes())
                .number(11, ticket.declaredSizeBytes())
                .number(12, ticket.reservedBytes())
                .bytes(13, sums.toBytes())
                .number(14, DomainCodec.nanos(ticket.modified()))
                .number(15, DomainCodec.nanos(ticket.expiry()))
                .bytes(16, DomainCodec.encode(ticket.caller()));
    }

    /** Only called on bytes whose MAC is right, so trouble here means another version. */
    private static Ticket read(ByteReader in, FstKey key) {
        int version = in.u8();
        int keyId = in.u8();
        if (version != VERSION || keyId != key.keyId()) {
            throw invalid(
                    "the ticket has version %d and key id %d, known here are %d and %d"
                            .formatted(version, keyId, VERSION, key.keyId()));
        }
        try {
            var f = new FieldReader(in);
            Ticket ticket = ticket(f);
            f.done();
            if (ticket.fstId() != key.fstId()) {
                throw malformed();
            }
            return ticket;
        } catch (DecodeException e) {
            throw invalid("the ticket is of another version: " + e.getMessage());
        }
    }

    private static Ticket ticket(FieldReader f) {
        Optional<LeaseRef> lease = f.optionalBytes(8).map(DomainCodec::leaseRef);
        OptionalLong declared = f.optionalNumber(11);
        var location = new Location(f.integer(5), f.number(6));
        return new Ticket(
                new ByteReader(f.bytes(1)).uuid(),
                f.integer(2),
                FsPath.parse(f.text(3)),
                f.number(4),
                location,
                f.integer(7),
                lease,
                f.flag(9),
                f.number(17, location.dataId()),
                f.number(10),
                declared,
                f.number(12),
                checksums(f.bytes(13)),
                DomainCodec.instant(f.number(14)),
                DomainCodec.instant(f.number(15)),
                DomainCodec.caller(f.bytes(16)));
    }

    private static List<ChecksumType> checksums(byte[] codes) {
        var types = new ChecksumType[codes.length];
        for (int i = 0; i < codes.length; i++) {
            types[i] = DomainCodec.checksumType(codes[i]);
        }
        return List.of(types);
    }

    private static FsException malformed() {
        return invalid("this is no ticket: it is malformed or cut short");
    }

    private static FsException invalid(String message) {
        return new FsException(new FsError.TicketInvalid(message));
    }
}
