package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Place;

/**
 * Entries and places are one to one, directories hang together in one tree under the root, and each
 * directory counts its files and directories right.
 */
final class EveryInodeHasOnePlace implements Invariant {
    private static final long ROOT = 1;

    @Override
    public void check(Step step) {
        State state = step.after();
        Step.require(
                state.entries().size() == state.places().size(),
                "%d entries, %d places",
                state.entries().size(),
                state.places().size());
        state.entries().forEach((key, entry) -> hasItsPlace(state, key, entry));
        childrenAreCounted(state);
        state.directories().values().forEach(dir -> leadsToTheRoot(state, dir));
    }

    private static void hasItsPlace(State state, EntryKey key, Entry entry) {
        long inode = inode(entry);
        Place place = state.places().get(inode);
        Step.require(
                new Place(key.parent(), key.name()).equals(place),
                "inode %d is at %s, its place says %s",
                inode,
                key,
                place);
        if (entry instanceof Entry.DirectoryLink link) {
            Directory dir = state.directories().get(link.id());
            Step.require(
                    dir != null && dir.parent() == key.parent(),
                    "directory %s does not lead back to %s",
                    dir,
                    key);
        }
    }

    static long inode(Entry entry) {
        return switch (entry) {
            case Entry.DirectoryLink link -> link.id();
            case Entry.File file -> file.inode();
            case Entry.Symlink link -> link.inode();
        };
    }

    private static void childrenAreCounted(State state) {
        Map<Long, Long> files = new HashMap<>();
        Map<Long, Long> directories = new HashMap<>();
        state.entries()
                .forEach((key, entry) ->
                        (entry instanceof Entry.DirectoryLink ? directories : files)
                                .merge(key.parent(), 1L, Long::sum));
        state.directories()
                .forEach((id, dir) ->
                        Step.require(
                                dir.files() == files.getOrDefault(id, 0L)
                                        && dir.directories() == directories.getOrDefault(id, 0L),
                                "%s has %d files and %d directories",
                                dir,
                                files.getOrDefault(id, 0L),
                                directories.getOrDefault(id, 0L)));
        long links = directories.values().stream().mapToLong(Long::longValue).sum();
        Step.require(
                links + 1 == state.directories().size()
                        && state.head().directories() == state.directories().size(),
                "%d directories, %d links to them, the head says %d",
                state.directories().size(),
                links,
                state.head().directories());
    }

    private static void leadsToTheRoot(State state, Directory from) {
        var seen = new HashSet<Long>();
        for (Directory at = from; at.id() != ROOT; ) {
            Step.require(seen.add(at.id()), "directory %d is its own ancestor", at.id());
            at = java.util.Objects.requireNonNull(state.directories().get(at.parent()), "parent");
        }
    }
}
