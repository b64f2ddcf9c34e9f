package org.cepheus.protocol.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.cepheus.domain.codec.Bytes;

/**
 * Mutual challenge and response: each side proves that it has the FST's key by HMAC-SHA256 over a
 * word for its role, both nonces and the hello, so that no proof can be used by the other role,
 * again, or for another hello. What follows on the connection is not protected by it.
 */
final class Handshake {
    static final int NONCE_BYTES = 32;

    private static final String MGM = "cepheus control mgm 1";
    private static final String FST = "cepheus control fst 1";

    private Handshake() {}

    static Bytes nonce(RandomGenerator random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return Bytes.copyOf(nonce);
    }

    static Bytes mgmProof(Bytes key, Bytes fstNonce, Bytes mgmNonce, Hello hello) {
        return proof(key, MGM, fstNonce, mgmNonce, hello);
    }

    static Bytes fstProof(Bytes key, Bytes fstNonce, Bytes mgmNonce, Hello hello) {
        return proof(key, FST, fstNonce, mgmNonce, hello);
    }

    /** Compares in a time that tells nothing about the first difference. */
    static boolean same(Bytes expected, Bytes given) {
        return MessageDigest.isEqual(expected.toArray(), given.toArray());
    }

    private static Bytes proof(
            Bytes key, String role, Bytes fstNonce, Bytes mgmNonce, Hello hello) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.toArray(), "HmacSHA256"));
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update(fstNonce.toArray());
            mac.update(mgmNonce.toArray());
            mac.update(ControlCodec.hello(hello));
            return Bytes.copyOf(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
