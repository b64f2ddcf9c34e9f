package org.cepheus.namespace.rules;

import java.util.ArrayDeque;
import java.util.OptionalInt;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Tables;

/**
 * Keeps every name within reach of a path. A new name is as deep as the path that asks for it, but
 * a rename takes along what lies below it, and must not push that beyond the depth of a path.
 *
 * <p>To look at everything below would make the rename of a big directory slow, and it must not be
 * slow: bytes and names below do not move. So each directory knows a bound of the levels below it.
 * A new directory raises the bounds above it, usually none; only what is emptied of directories
 * falls to zero. The bound may be too high then, and only when it stands in the way does somebody
 * look, at so many entries at most.
 */
final class Depth {
    /** The most entries that are looked at for one rename. */
    static final int MAX_MEASURED = 10_000;

    /** Below the deepest directory there still is a level for its files. */
    private static final int DEEPEST_DIRECTORY = FsPath.MAX_DEPTH - 1;

    private Depth() {}

    /**
     * The directory has so many levels below it now, or more. All above it are looked at: one may
     * know a lower bound than its child does, from having been measured.
     */
    static void raise(Work work, long directory, int levels) {
        int wanted = levels;
        for (long id = directory; ; wanted++) {
            Directory dir = Walk.directory(work.draft(), id);
            if (dir.levels() < wanted) {
                work.putDirectory(dir.withLevels(wanted));
            }
            if (id == Walk.ROOT) {
                return;
            }
            id = dir.parent();
        }
    }

    /**
     * The directory, to be moved between these paths, with a bound that says it fits.
     *
     * @throws org.cepheus.domain.FsException TooLong, if something below would lie too deep, or
     *     might and there is too much to look at
     */
    static Directory requireFits(Work work, Directory dir, FsPath from, FsPath to) {
        int depth = to.components().size();
        int room = DEEPEST_DIRECTORY - depth;
        if (dir.levels() <= room || depth <= from.components().size()) {
            return dir;
        }
        OptionalInt measured = measure(work, dir, room);
        if (measured.isPresent() && measured.getAsInt() <= room) {
            return dir.withLevels(measured.getAsInt());
        }
        throw Work.refuse(
                new FsError.TooLong(
                        measured.isPresent()
                                ? "%s has directories %d levels below it or deeper: at %s they would be out of reach, a path has %d components at most"
                                        .formatted(from, measured.getAsInt(), to, FsPath.MAX_DEPTH)
                                : "%s may have directories %d levels below it, and more than %d entries to find out: at %s they could be out of reach, move what is in it"
                                        .formatted(from, dir.levels(), MAX_MEASURED, to)));
    }

    // The levels there are, or the first that is too many; absent if there is too much to look at.
    private static OptionalInt measure(Work work, Directory top, int room) {
        record At(long id, int level) {}
        var open = new ArrayDeque<At>();
        int[] looked = {0};
        int levels = 0;
        open.add(new At(top.id(), 0));
        while (!open.isEmpty() && levels <= room) {
            At at = open.removeLast();
            levels = Math.max(levels, at.level());
            if (Walk.directory(work.draft(), at.id()).directories() == 0) {
                continue;
            }
            byte[] prefix = Tables.longKey(at.id());
            work.draft()
                    .scan(
                            Tables.ENTRIES,
                            prefix,
                            Tables.after(prefix),
                            (_, entry) -> {
                                if (entry instanceof Entry.DirectoryLink link) {
                                    open.add(new At(link.id(), at.level() + 1));
                                }
                                return ++looked[0] <= MAX_MEASURED;
                            });
            if (looked[0] > MAX_MEASURED) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(levels);
    }
}
