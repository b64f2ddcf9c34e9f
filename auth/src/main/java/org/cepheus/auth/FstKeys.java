package org.cepheus.auth;

import java.nio.charset.StandardCharsets;
import javax.crypto.Mac;
import org.cepheus.domain.codec.ByteWriter;

/**
 * Derives the key of each FST from the cluster secret, so that an MGM needs no table of keys and a
 * stolen FST key forges for no other FST (HMAC as the expansion step of HKDF, RFC 5869).
 */
public final class FstKeys {
    /** The key id in use until keys can be rotated. */
    public static final int FIRST_KEY_ID = 1;

    private static final byte[] LABEL = "cepheus fst key".getBytes(StandardCharsets.UTF_8);

    private final Mac fromSecret;

    public FstKeys(ClusterSecret secret) {
        fromSecret = FstKey.mac(secret.toBytes());
    }

    public FstKey keyOf(int fstId) {
        return keyOf(fstId, FIRST_KEY_ID);
    }

    /** The key of that FST under that key id; the same each time. */
    public FstKey keyOf(int fstId, int keyId) {
        byte[] info = new ByteWriter().blob(LABEL).i32(keyId).i32(fstId).u8(1).toBytes();
        try {
            return new FstKey(fstId, keyId, ((Mac) fromSecret.clone()).doFinal(info));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's HMAC cannot be copied", e);
        }
    }
}
