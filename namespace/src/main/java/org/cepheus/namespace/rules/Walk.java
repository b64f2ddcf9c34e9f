package org.cepheus.namespace.rules;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Tables;

/**
 * Where a path leads: the directory its last name lies in, and what is there. Every directory on
 * the way must let the subject search it.
 *
 * @param parent of the last name; the root itself for the root
 * @param name empty for the root
 * @param entry absent when the name is free
 */
public record Walk(FsPath path, Directory parent, String name, Optional<Entry> entry) {
    /** The id of the root directory. */
    public static final long ROOT = 1;

    /**
     * Walks to a path whose last name may be missing.
     *
     * @throws FsException NotFound, NotDirectory or PermissionDenied, naming the component
     */
    public static Walk to(View view, Subject subject, FsPath path) {
        Directory at = directory(view, ROOT);
        if (path.isRoot()) {
            return new Walk(path, at, "", Optional.of(new Entry.DirectoryLink(ROOT)));
        }
        String text = path.value();
        int start = 1;
        for (int slash = text.indexOf('/', start); slash > 0; slash = text.indexOf('/', start)) {
            at = step(view, subject, path, at, text, start, slash);
            start = slash + 1;
        }
        requireSearch(subject, at, path, start - 1);
        String name = text.substring(start);
        return new Walk(path, at, name, view.get(Tables.ENTRIES, new EntryKey(at.id(), name)));
    }

    private static Directory step(
            View view,
            Subject subject,
            FsPath path,
            Directory at,
            String text,
            int start,
            int end) {
        requireSearch(subject, at, path, start - 1);
        var key = new EntryKey(at.id(), text.substring(start, end));
        return switch (view.get(Tables.ENTRIES, key).orElse(null)) {
            case Entry.DirectoryLink link -> directory(view, link.id());
            case Entry.File _, Entry.Symlink _ ->
                    throw new FsException(
                            new FsError.NotDirectory(
                                    "%s is a file, not a directory (in %s)"
                                            .formatted(text.substring(0, end), text)));
            case null ->
                    throw new FsException(
                            new FsError.NotFound(
                                    "no such directory: %s (in %s)"
                                            .formatted(text.substring(0, end), text)));
        };
    }

    private static void requireSearch(Subject subject, Directory dir, FsPath path, int end) {
        if (!subject.maySearch(dir)) {
            String where = end <= 0 ? "/" : path.value().substring(0, end);
            throw new FsException(
                    new FsError.PermissionDenied(
                            "%s may not search %s (mode %04o)"
                                    .formatted(subject.identity().user(), where, dir.mode())));
        }
    }

    /** A directory that must exist, because something in the state names it. */
    public static Directory directory(View view, long id) {
        return view.get(Tables.DIRECTORIES, id)
                .orElseThrow(() -> new IllegalStateException("directory " + id + " has no record"));
    }

    public FsException notFound() {
        return new FsException(new FsError.NotFound("no such file or directory: " + path));
    }

    /** The entry, which must be there. */
    public Entry existing() {
        return entry.orElseThrow(this::notFound);
    }

    /** The file, which must be there. */
    public Entry.File existingFile() {
        return switch (existing()) {
            case Entry.File file -> file;
            case Entry.DirectoryLink _ ->
                    throw new FsException(new FsError.IsDirectory(path + " is a directory"));
            case Entry.Symlink _ ->
                    throw new FsException(
                            new FsError.Unsupported(
                                    path + " is a symbolic link: not followed yet"));
        };
    }

    /** The directory, which must be there. */
    public Directory existingDirectory(View view) {
        return switch (existing()) {
            case Entry.DirectoryLink link -> directory(view, link.id());
            case Entry.File _, Entry.Symlink _ ->
                    throw new FsException(
                            new FsError.NotDirectory(path + " is a file, not a directory"));
        };
    }

    public EntryKey key() {
        return new EntryKey(parent.id(), name);
    }
}
