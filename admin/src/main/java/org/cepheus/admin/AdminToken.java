package org.cepheus.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Set;

/** The secret that operators bring as {@code Authorization: Bearer}. It is never printed. */
public final class AdminToken {
    private static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 1_024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final byte[] secret;

    private AdminToken(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the token from its file.
     *
     * @throws IOException if it is missing, readable by others, or too short to be a secret
     */
    public static AdminToken read(Path file) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (!OWNER_ONLY.containsAll(mode)) {
            throw new IOException(
                    "%s holds the admin token and has mode %s; run: chmod 600 %s"
                            .formatted(file, PosixFilePermissions.toString(mode), file));
        }
        if (Files.size(file) > MAX_LENGTH) {
            throw new IOException("%s is too long to be an admin token".formatted(file));
        }
        String text = Files.readString(file).strip();
        if (text.length() < MIN_LENGTH) {
            throw new IOException(
                    "%s holds an admin token of %d characters, at least %d are needed"
                            .formatted(file, text.length(), MIN_LENGTH));
        }
        return new AdminToken(text);
    }

    /** True for exactly this secret; takes the same time for every wrong one. */
    boolean isIn(String authorization) {
        String scheme = "Bearer ";
        if (!authorization.regionMatches(true, 0, scheme, 0, scheme.length())) {
            return false;
        }
        byte[] offered =
                authorization.substring(scheme.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(secret, offered);
    }
}
