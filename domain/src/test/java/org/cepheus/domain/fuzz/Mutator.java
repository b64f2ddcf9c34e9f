package org.cepheus.domain.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Damages bytes in the ways that find faults in parsers: bits, lengths at their limits, lost,
 * repeated and moved pieces, words of the protocol in wrong places. Immutable.
 */
public final class Mutator {
    /** No input is longer, so that a run's time and memory can be foreseen. */
    public static final int MAX_INPUT_BYTES = 128 * 1024;

    private static final int MAX_CHANGES = 5;
    private static final long[] LIMITS = {
        0,
        1,
        -1,
        2,
        7,
        8,
        16,
        23,
        24,
        25,
        127,
        128,
        255,
        256,
        4095,
        4096,
        4097,
        65_535,
        65_536,
        65_537,
        1 << 20,
        16 * 1024 * 1024,
        16 * 1024 * 1024 + 1,
        Integer.MAX_VALUE - 1,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final List<byte[]> words;

    /**
     * @param words of the protocol, to be put where they do not belong
     */
    public Mutator(List<String> words) {
        this.words =
                words.stream().map(word -> word.getBytes(StandardCharsets.ISO_8859_1)).toList();
    }

    /** A damaged copy; {@code other} is another sound input, from which pieces may come. */
    public byte[] mutate(byte[] sound, byte[] other, RandomGenerator random) {
        byte[] bytes = sound;
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes; i++) {
            bytes = change(bytes, other, random);
        }
        return bytes.length > MAX_INPUT_BYTES ? Arrays.copyOf(bytes, MAX_INPUT_BYTES) : bytes;
    }

    private byte[] change(byte[] in, byte[] other, RandomGenerator random) {
        if (in.length == 0) {
            return randomBytes(random, 1 + random.nextInt(64));
        }
        int at = random.nextInt(in.length);
        int length = Math.min(in.length - at, 1 + random.nextInt(1 << random.nextInt(1, 9)));
        return switch (random.nextInt(14)) {
            case 0 -> with(in, at, (byte) (in[at] ^ 1 << random.nextInt(8)));
            case 1 -> with(in, at, (byte) random.nextInt(256));
            case 2, 3 -> number(in, at, random);
            case 4 -> replaced(in, at, length, new byte[0]);
            case 5 -> replaced(in, at, 0, Arrays.copyOfRange(in, at, at + length));
            case 6 -> replaced(in, at, 0, randomBytes(random, length));
            case 7 -> replaced(in, at, random.nextBoolean() ? length : 0, word(random));
            case 8 -> Arrays.copyOf(in, at);
            case 9 -> replaced(in, at, length, piece(other, length, random));
            case 10 -> repeated(in, at, length, random);
            case 11 -> digits(in, at, random);
            case 12 -> line(in, at, random);
            default -> moved(in, at, length, random);
        };
    }

    private static byte[] with(byte[] in, int at, byte value) {
        byte[] out = in.clone();
        out[at] = value;
        return out;
    }

    /** Puts a limit, or a number near one that is there, in 1 to 8 bytes. */
    private static byte[] number(byte[] in, int at, RandomGenerator random) {
        int width = 1 << random.nextInt(4);
        byte[] out = in.clone();
        long there = 0;
        for (int i = 0; i < width && at + i < in.length; i++) {
            there = there << 8 | (in[at + i] & 0xff);
        }
        long value =
                random.nextBoolean()
                        ? LIMITS[random.nextInt(LIMITS.length)]
                        : there + random.nextInt(-2, 3);
        for (int i = width - 1; i >= 0; i--, value >>= 8) {
            if (at + i < out.length) {
                out[at + i] = (byte) value;
            }
        }
        return out;
    }

    private static byte[] replaced(byte[] in, int at, int length, byte[] by) {
        var out = new ByteArrayOutputStream(in.length + by.length);
        out.write(in, 0, at);
        out.writeBytes(by);
        out.write(in, at + length, in.length - at - length);
        return out.toByteArray();
    }

    private static byte[] piece(byte[] other, int length, RandomGenerator random) {
        if (other.length == 0) {
            return other;
        }
        int from = random.nextInt(other.length);
        return Arrays.copyOfRange(other, from, Math.min(other.length, from + length));
    }

    private static byte[] repeated(byte[] in, int at, int length, RandomGenerator random) {
        byte[] piece = Arrays.copyOfRange(in, at, at + length);
        var many = new ByteArrayOutputStream();
        for (int i = random.nextInt(1, 64); i >= 0; i--) {
            many.writeBytes(piece);
        }
        return replaced(in, at, 0, many.toByteArray());
    }

    /** Another number in the place of the first digits after {@code at}. */
    private static byte[] digits(byte[] in, int at, RandomGenerator random) {
        int from = at;
        while (from < in.length && !isDigit(in[from])) {
            from++;
        }
        int to = from;
        while (to < in.length && isDigit(in[to])) {
            to++;
        }
        String number =
                random.nextInt(8) == 0
                        ? "9".repeat(random.nextInt(1, 400))
                        : Long.toString(LIMITS[random.nextInt(LIMITS.length)]);
        return replaced(in, from, to - from, number.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Loses or doubles the line around {@code at}. */
    private static byte[] line(byte[] in, int at, RandomGenerator random) {
        int from = at;
        while (from > 0 && in[from - 1] != '\n') {
            from--;
        }
        int to = at;
        while (to < in.length && in[to] != '\n') {
            to++;
        }
        to = Math.min(in.length, to + 1);
        return random.nextBoolean()
                ? replaced(in, from, to - from, new byte[0])
                : replaced(in, from, 0, Arrays.copyOfRange(in, from, to));
    }

    private static byte[] moved(byte[] in, int at, int length, RandomGenerator random) {
        byte[] piece = Arrays.copyOfRange(in, at, at + length);
        byte[] rest = replaced(in, at, length, new byte[0]);
        return replaced(rest, random.nextInt(rest.length + 1), 0, piece);
    }

    private byte[] word(RandomGenerator random) {
        return words.isEmpty()
                ? randomBytes(random, 4)
                : words.get(random.nextInt(words.size())).clone();
    }

    private static byte[] randomBytes(RandomGenerator random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
