package org.cepheus.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A tree page by page. What is held is one page, and for each level above it the directories of a
 * page that are still to come: as much for ten files as for a billion.
 */
final class Walk {
    private static final int PAGE = 1_000;

    /** Who is told what is met. */
    interface Visitor {
        /** A directory begins; its entries follow, and those below them. */
        default void enter(String directory, int depth) {}

        /**
         * An entry of a directory, before what is below it.
         *
         * @param depth 1 for the entries of the directory where the walk began
         */
        void entry(String path, JsonNode entry, int depth);

        /** All of a directory was met. */
        default void leave(String directory, int depth) {}
    }

    /** A directory that is being read. */
    private static final class Level {
        private final String path;
        private final Deque<String> directories = new ArrayDeque<>();
        private Optional<String> after = Optional.of("");
        private int known;

        private Level(String path) {
            this.path = path;
        }
    }

    private final AdminClient client;
    private final int maxDepth;
    private final Visitor visitor;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Optional<Progress> told;
    private long met;

    /**
     * A walk that has not begun.
     *
     * @param maxDepth how many levels below the first directory are entered at most
     */
    Walk(AdminClient client, int maxDepth, Visitor visitor) {
        this(client, maxDepth, visitor, Optional.empty());
    }

    /** The same, telling how far it is. */
    Walk(AdminClient client, int maxDepth, Visitor visitor, Optional<Progress> told) {
        this.client = client;
        this.maxDepth = maxDepth;
        this.visitor = visitor;
        this.told = told;
    }

    /**
     * Meets everything below a directory. One that is removed meanwhile is passed over.
     *
     * @throws CommandFailure if the first directory cannot be listed, or any other for another
     *     reason than that it is gone
     */
    void below(String root) {
        push(root);
        while (!levels.isEmpty()) {
            Level level = levels.getLast();
            if (!level.directories.isEmpty()) {
                push(level.directories.removeFirst());
            } else if (level.after.isPresent()) {
                read(level);
            } else {
                levels.removeLast();
                visitor.leave(level.path, levels.size());
            }
        }
    }

    private void push(String directory) {
        visitor.enter(directory, levels.size());
        levels.addLast(new Level(directory));
    }

    private void read(Level level) {
        JsonNode page;
        try {
            page =
                    client.get(
                            "/api/v1/namespace/entries?path=%s&after=%s&max=%d"
                                    .formatted(
                                            AdminClient.encoded(level.path),
                                            AdminClient.encoded(level.after.orElse("")),
                                            PAGE));
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.NOT_FOUND || levels.size() == 1) {
                throw e;
            }
            level.after = Optional.empty();
            return;
        }
        for (JsonNode entry : page.path("entries")) {
            String path = PathWord.join(level.path, entry.path("name").asString());
            visitor.entry(path, entry, levels.size());
            if (isDirectory(entry) && levels.size() <= maxDepth) {
                level.directories.addLast(path);
                level.known++;
            }
            met++;
        }
        level.after = page.path("next").asStringOpt();
        told.ifPresent(progress -> progress.about(met, part()));
    }

    /**
     * About which part is done, 0 to 1: as if all directories beside each other held the same.
     * Nobody knows how much a directory holds before it was read; it is better than no guess.
     */
    private double part() {
        double done = 0;
        double weight = 1;
        Iterator<Level> deeper = levels.iterator();
        while (deeper.hasNext()) {
            Level level = deeper.next();
            boolean isDeepest = !deeper.hasNext();
            // What further pages hold counts like one more directory.
            double shares = level.known + (level.after.isPresent() ? 1 : 0);
            if (shares == 0) {
                return done + (isDeepest ? weight : 0);
            }
            int begun = level.known - level.directories.size();
            done += weight * (isDeepest ? begun : begun - 1) / shares;
            weight /= shares;
        }
        return done;
    }

    static boolean isDirectory(JsonNode entry) {
        return entry.path("kind").asString().equals("directory");
    }
}
