package org.cepheus.auth;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** The secret all MGMs of a cluster share; every FST key comes from it. Never printed. */
public final class ClusterSecret {
    private static final int BYTES = 32;
    private static final int MAX_FILE_BYTES = 256;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final byte[] secret;

    private ClusterSecret(byte[] secret) {
        this.secret = secret;
    }

    /** Draws a new one; the source must be a secure one outside of tests. */
    public static ClusterSecret draw(RandomGenerator random) {
        byte[] drawn = new byte[BYTES];
        random.nextBytes(drawn);
        return new ClusterSecret(drawn);
    }

    /**
     * Reads a secret file: 64 hex digits, mode 0600 or stricter.
     *
     * @throws FsException PermissionDenied if others could read it, InvalidArgument if it is none
     */
    public static ClusterSecret read(Path file) {
        String text = readPrivateText(file);
        try {
            byte[] parsed = HexFormat.of().parseHex(text.strip());
            if (parsed.length == BYTES) {
                return new ClusterSecret(parsed);
            }
        } catch (IllegalArgumentException e) {
            // Falls through to the one sentence below; the parser's own would show the secret.
        }
        throw new FsException(
                new FsError.InvalidArgument(file + " holds no cluster secret (64 hex digits)"));
    }

    /**
     * Reads a small text that only its owner may see, such as a secret, a key or a token.
     *
     * @throws FsException as {@link #read}
     */
    public static String readPrivateText(Path file) {
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(mode)) {
                throw new FsException(
                        new FsError.PermissionDenied(
                                "%s has mode %s, but only its owner may read it: chmod 600 it"
                                        .formatted(file, PosixFilePermissions.toString(mode))));
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new FsException(
                        new FsError.TooLong(
                                "%s is longer than %d bytes".formatted(file, MAX_FILE_BYTES)));
            }
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new FsException(new FsError.NotFound(file + " does not exist"));
        } catch (IOException e) {
            throw new FsException(new FsError.IoFailure("cannot read " + file + ": " + e));
        }
    }

    /** Writes it to a file that must not exist yet, mode 0600: whole, on disk, or not at all. */
    public void writeNew(Path file) throws IOException {
        writePrivateText(file, HexFormat.of().formatHex(secret) + "\n");
    }

    /**
     * Writes a small text that only its owner may see. The file must not exist yet; it never holds
     * a part of the text, whenever the process ends.
     */
    public static void writePrivateText(Path file, String text) throws IOException {
        Path whole = file.toAbsolutePath();
        Path draft = whole.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            Files.writeString(
                    draft,
                    text,
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.SYNC,
                    StandardOpenOption.WRITE);
            // Unlike a rename, a link takes no other file's place.
            Files.createLink(whole, draft);
        } finally {
            Files.deleteIfExists(draft);
        }
        try (var directory = FileChannel.open(whole.getParent())) {
            directory.force(true);
        }
    }

    /**
     * What operators bring at every MGM of the cluster, unless a site writes another one: it is the
     * same at all of them, and the secret does not follow from it.
     */
    public String adminToken() {
        byte[] purpose = "cepheus admin token".getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(FstKey.mac(secret).doFinal(purpose));
    }

    byte[] toBytes() {
        return secret.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSecret that && Arrays.equals(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }

    @Override
    public String toString() {
        return "cluster secret";
    }
}
