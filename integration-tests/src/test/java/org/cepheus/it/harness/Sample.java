package org.cepheus.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Adler32;

/**
 * A local file with known content: random bytes, no two megabytes alike, the same for the same
 * seed.
 *
 * @param adler32 as eight hex digits
 */
public record Sample(Path file, long sizeBytes, String adler32) {
    private static final int BLOCK_BYTES = 1 << 20;

    /** Writes a file of that size. */
    public static Sample write(Path file, long sizeBytes, long seed) {
        byte[] block = new byte[BLOCK_BYTES];
        new Random(seed).nextBytes(block);
        var buffer = ByteBuffer.wrap(block);
        var sum = new Adler32();
        try (var channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long at = 0; at < sizeBytes; at += BLOCK_BYTES) {
                int length = (int) Math.min(BLOCK_BYTES, sizeBytes - at);
                buffer.putLong(0, seed + at);
                sum.update(block, 0, length);
                buffer.position(0).limit(length);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Sample(file, sizeBytes, hex(sum));
    }

    /** The adler32 of a file as eight hex digits. */
    public static String adler32Of(Path file) {
        var sum = new Adler32();
        byte[] block = new byte[BLOCK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(block); n >= 0; n = in.read(block)) {
                sum.update(block, 0, n);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return hex(sum);
    }

    private static String hex(Adler32 sum) {
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }
}
