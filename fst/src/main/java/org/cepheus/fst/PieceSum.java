package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;

/**
 * Adler32 and CRC32C of a run of bytes. The sums of two neighbours give the sum of both, so that
 * pieces may arrive in any order.
 */
record PieceSum(long length, int adler32, int crc32c) {
    /** No bytes at all. */
    static final PieceSum EMPTY = new PieceSum(0, 1, 0);

    /** Both sums are taken of so many bytes while they are in the first cache of a core. */
    private static final int CACHED_BYTES = 16 * 1024;

    private static final int ADLER_MODULUS = 65_521;

    /** Castagnoli's polynomial, bits reversed. */
    private static final int POLYNOMIAL = 0x82f63b78;

    /** x^(2^n) modulo the polynomial. */
    private static final int[] POWERS = powers();

    /** Sums what remains in the buffers, whose positions stay. */
    static PieceSum of(ByteBuffer... buffers) {
        var adler = new Adler32();
        var crc = new CRC32C();
        long length = 0;
        for (ByteBuffer buffer : buffers) {
            ByteBuffer some = buffer.duplicate();
            int end = some.limit();
            length += some.remaining();
            for (int at = some.position(); at < end; at += CACHED_BYTES) {
                some.limit(Math.min(end, at + CACHED_BYTES));
                adler.update(some);
                crc.update(some.position(at));
            }
        }
        return new PieceSum(length, (int) adler.getValue(), (int) crc.getValue());
    }

    /** The sums of this run followed by the next one. */
    PieceSum then(PieceSum next) {
        return new PieceSum(
                length + next.length,
                combinedAdler(adler32, next.adler32, next.length),
                multiply(powerOfX(next.length), crc32c) ^ next.crc32c);
    }

    private static int combinedAdler(int first, int second, long secondLength) {
        long length = secondLength % ADLER_MODULUS;
        long low1 = first & 0xffff;
        long low = (low1 + (second & 0xffff) + ADLER_MODULUS - 1) % ADLER_MODULUS;
        long high =
                (length * low1 + (first >>> 16) + (second >>> 16) + ADLER_MODULUS - length)
                        % ADLER_MODULUS;
        return (int) (high << 16 | low);
    }

    /** The product of two polynomials modulo ours; the highest bit is x^0. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = 1 << 31; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }

    /** x^(8 * bytes) modulo the polynomial. */
    private static int powerOfX(long bytes) {
        int power = 1 << 31;
        int n = 3;
        for (long rest = bytes; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                power = multiply(POWERS[n], power);
            }
            n++;
        }
        return power;
    }

    private static int[] powers() {
        var powers = new int[67];
        powers[0] = 1 << 30;
        for (int n = 1; n < powers.length; n++) {
            powers[n] = multiply(powers[n - 1], powers[n - 1]);
        }
        return powers;
    }
}
