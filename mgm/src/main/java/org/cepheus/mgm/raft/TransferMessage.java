package org.cepheus.mgm.raft;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.mgm.raft.Applied.Position;

/**
 * What a member that fetches the state and one that gives it say to each other, and the bytes of
 * it. A request begins with an HMAC over the rest, by a key that members alone have: the Raft port
 * itself takes reads from anybody.
 */
final class TransferMessage {
    private static final int VERSION = 1;
    private static final int MAC_BYTES = 32;
    private static final int MAX_FILES = 100_000;

    private TransferMessage() {}

    /** What the fetching member asks. */
    sealed interface Request {}

    /** Makes a copy of the state and says what it consists of. */
    record Open(String member) implements Request {}

    /** Wants a piece of one of the copy's files. */
    record Read(long copy, String file, long offset, int length) implements Request {}

    /** The copy is not needed any more. */
    record Done(long copy) implements Request {}

    /** A file of the copy. */
    record FileSize(String name, long bytes) {}

    /** The answer to {@link Open}. */
    record Manifest(long copy, StateFiles.Stand stand, List<FileSize> files) {
        Manifest {
            files = List.copyOf(files);
        }
    }

    static byte[] encode(Request request, Bytes key) {
        var w = new ByteWriter().u8(VERSION);
        switch (request) {
            case Open m -> w.u8(1).text(m.member());
            case Read m -> w.u8(2).i64(m.copy()).text(m.file()).i64(m.offset()).i32(m.length());
            case Done m -> w.u8(3).i64(m.copy());
        }
        byte[] body = w.toBytes();
        return new ByteWriter().raw(mac(key, body)).raw(body).toBytes();
    }

    /**
     * Reads a request.
     *
     * @throws DecodeException if no member of this cluster made it, or a newer one
     */
    static Request decode(byte[] bytes, Bytes key) {
        if (bytes.length <= MAC_BYTES) {
            throw new DecodeException("no request of a member");
        }
        byte[] body = Arrays.copyOfRange(bytes, MAC_BYTES, bytes.length);
        if (!MessageDigest.isEqual(mac(key, body), Arrays.copyOf(bytes, MAC_BYTES))) {
            throw new DecodeException("no request of a member");
        }
        var r = new ByteReader(body);
        requireVersion(r.u8());
        int type = r.u8();
        return switch (type) {
            case 1 -> new Open(r.text());
            case 2 -> new Read(r.i64(), r.text(), r.i64(), r.i32());
            case 3 -> new Done(r.i64());
            default -> throw new DecodeException("request type " + type + " is unknown");
        };
    }

    private static void requireVersion(int version) {
        if (version != VERSION) {
            throw new DecodeException(
                    "transfer version %d, known is %d".formatted(version, VERSION));
        }
    }

    private static byte[] mac(Bytes key, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.toArray(), "HmacSHA256"));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    static byte[] encode(Manifest manifest) {
        Position at = manifest.stand().at();
        var w = new ByteWriter().u8(VERSION).i64(manifest.copy());
        w.i64(at.term()).i64(at.index()).i64(manifest.stand().chainHash());
        w.varint(manifest.files().size());
        manifest.files().forEach(file -> w.text(file.name()).i64(file.bytes()));
        return w.toBytes();
    }

    static Manifest manifest(byte[] bytes) {
        var r = new ByteReader(bytes);
        requireVersion(r.u8());
        long copy = r.i64();
        var stand = new StateFiles.Stand(new Position(r.i64(), r.i64()), r.i64());
        var files = new ArrayList<FileSize>();
        for (int n = r.count(MAX_FILES); n > 0; n--) {
            files.add(new FileSize(r.text(), r.i64()));
        }
        return new Manifest(copy, stand, files);
    }

    /** A piece of a file with its checksum. */
    static byte[] encodePiece(byte[] data) {
        return new ByteWriter(data.length + 8).i32(checksum(data)).raw(data).toBytes();
    }

    /**
     * The piece, if it came through whole.
     *
     * @throws DecodeException if it did not
     */
    static byte[] piece(byte[] bytes) {
        var r = new ByteReader(bytes);
        int sum = r.i32();
        byte[] data = r.raw(r.remaining());
        if (checksum(data) != sum) {
            throw new DecodeException("a piece of a file came damaged");
        }
        return data;
    }

    private static int checksum(byte[] data) {
        var crc = new CRC32C();
        crc.update(data);
        return (int) crc.getValue();
    }
}
