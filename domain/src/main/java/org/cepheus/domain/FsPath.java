package org.cepheus.domain;

import java.util.ArrayList;
import java.util.List;

/**
 * An absolute, normalised logical path. Holding one means every component is a valid {@link
 * EntryName} and there are at most {@link #MAX_DEPTH} of them.
 */
public record FsPath(String value) {
    /** The most components a path may have. */
    public static final int MAX_DEPTH = 255;

    /** The root directory. */
    public static final FsPath ROOT = new FsPath("/");

    public FsPath {
        if (!value.startsWith("/") || (value.length() > 1 && value.endsWith("/"))) {
            throw new FsException(
                    new FsError.InvalidArgument("not a normalised absolute path: " + value));
        }
        int depth = 0;
        for (int start = 1; start < value.length(); depth++) {
            int slash = value.indexOf('/', start);
            int end = slash < 0 ? value.length() : slash;
            new EntryName(value.substring(start, end));
            start = end + 1;
        }
        if (depth > MAX_DEPTH) {
            throw new FsException(
                    new FsError.TooLong(
                            "path has %d components, the limit is %d".formatted(depth, MAX_DEPTH)));
        }
    }

    /**
     * Reads a path as clients send it: repeated slashes and {@code .} collapse, a trailing slash is
     * dropped.
     *
     * @throws FsException InvalidArgument for a relative path, {@code ..} or a forbidden character,
     *     TooLong for a long name or a deep path
     */
    public static FsPath parse(String raw) {
        if (!raw.startsWith("/")) {
            throw new FsException(
                    new FsError.InvalidArgument("the path must start with '/', is '" + raw + "'"));
        }
        if (!raw.contains("//")
                && !raw.contains("/.")
                && (raw.length() == 1 || !raw.endsWith("/"))) {
            return new FsPath(raw);
        }
        var kept = new StringBuilder(raw.length());
        for (String part : raw.split("/", -1)) {
            if (!part.isEmpty() && !part.equals(".")) {
                kept.append('/').append(part);
            }
        }
        return kept.isEmpty() ? ROOT : new FsPath(kept.toString());
    }

    public boolean isRoot() {
        return value.length() == 1;
    }

    /** The directory this path lies in; the root is its own parent. */
    public FsPath parent() {
        int slash = value.lastIndexOf('/');
        return slash <= 0 ? ROOT : new FsPath(value.substring(0, slash));
    }

    /** The last component; empty text for the root. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    public FsPath child(String name) {
        return new FsPath(isRoot() ? "/" + name : value + "/" + name);
    }

    /** The components from the root down; empty for the root. */
    public List<String> components() {
        var parts = new ArrayList<String>(8);
        for (int start = 1; start < value.length(); ) {
            int slash = value.indexOf('/', start);
            int end = slash < 0 ? value.length() : slash;
            parts.add(value.substring(start, end));
            start = end + 1;
        }
        return parts;
    }

    /** True if this path is {@code other} or lies below it. */
    public boolean isAtOrBelow(FsPath other) {
        return other.isRoot()
                || value.equals(other.value)
                || (value.startsWith(other.value) && value.charAt(other.value.length()) == '/');
    }

    @Override
    public String toString() {
        return value;
    }
}
