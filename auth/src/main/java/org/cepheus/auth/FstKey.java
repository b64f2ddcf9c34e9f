package org.cepheus.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * The secret that one FST shares with the MGMs: seals and opens the tickets of that FST and proves
 * who it is on the control connection. Safe to share between threads. Never printed.
 */
public final class FstKey {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final int fstId;
    private final int keyId;
    private final byte[] secret;
    private final Mac ticketMac;

    /**
     * Takes a key as derived.
     *
     * @param keyId tells keys apart when they are rotated, 0 to 255
     * @param secret 32 bytes
     */
    FstKey(int fstId, int keyId, byte[] secret) {
        if (fstId < 0 || keyId < 0 || keyId > 255 || secret.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "FST %d, key id %d, %d bytes: not a key"
                            .formatted(fstId, keyId, secret.length));
        }
        this.fstId = fstId;
        this.keyId = keyId;
        this.secret = secret.clone();
        this.ticketMac = mac(subkey("ticket"));
    }

    /**
     * Reads what {@link #toText} wrote: the line an FST's key file holds.
     *
     * @throws FsException InvalidArgument, without showing the text
     */
    public static FstKey parse(String text) {
        String[] parts = text.strip().split("\\.", -1);
        try {
            if (parts.length == 3) {
                return new FstKey(
                        Integer.parseInt(parts[0]),
                        Integer.parseInt(parts[1]),
                        HexFormat.of().parseHex(parts[2]));
            }
        } catch (IllegalArgumentException e) {
            // Falls through to the one sentence below; the parser's own would show the key.
        }
        throw new FsException(
                new FsError.InvalidArgument(
                        "an FST key is <fst id>.<key id>.<64 hex digits>, this is not"));
    }

    /** The key as text for a file of mode 0600. */
    public String toText() {
        return fstId + "." + keyId + "." + HexFormat.of().formatHex(secret);
    }

    public int fstId() {
        return fstId;
    }

    public int keyId() {
        return keyId;
    }

    /** A key for one use alone, such as {@code control}; 32 bytes. */
    public byte[] subkey(String purpose) {
        return mac(secret).doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    }

    /** Authenticates ticket bytes; the first {@code length} bytes of the MAC. */
    byte[] ticketMac(byte[] bytes, int count, int length) {
        try {
            Mac own = (Mac) ticketMac.clone();
            own.update(bytes, 0, count);
            return Arrays.copyOf(own.doFinal(), length);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's HMAC cannot be copied", e);
        }
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac;
        } catch (InvalidKeyException e) {
            throw new IllegalArgumentException("not a key", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks " + MAC, e);
        }
    }

    @Override
    public String toString() {
        return "key " + keyId + " of FST " + fstId;
    }
}
