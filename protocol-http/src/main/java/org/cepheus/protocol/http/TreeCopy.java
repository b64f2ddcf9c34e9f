package org.cepheus.protocol.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;

/**
 * Copies a directory, with all that is in it or without, from the root of the tree down. When a
 * step fails, what was copied stays: whole files, and directories that may miss some. Holds one
 * page of names for each level of the tree. Confined to the event loop.
 */
final class TreeCopy {
    /** Files copied at once, each with one block of memory. */
    private static final int MAX_RUNNING = 4;

    private static final int PAGE_ENTRIES = 500;

    /** Whoever copies a directory must be able to fill the copy. */
    private static final int OWNER_MAY_ALL = 0700;

    private static final int PERMISSIONS = 0777;

    /** A directory on its way. */
    private static final class Level {
        private final FsPath source;
        private final FsPath target;
        private final FileStatus status;
        private boolean made;
        private boolean listed;
        private String after = "";

        Level(FsPath source, FsPath target, FileStatus status) {
            this.source = source;
            this.target = target;
            this.status = status;
        }
    }

    private record FilePair(FsPath target, FileStatus status) {}

    private final Exchange exchange;
    private final Changes changes;
    private final FileCopy.Place place;
    private final boolean entriesToo;
    private final Consumer<Optional<Crowd.Failure>> done;
    private final Deque<Level> levels = new ArrayDeque<>();

    private TreeCopy(
            Exchange exchange,
            Changes changes,
            FileCopy.Place place,
            boolean entriesToo,
            Consumer<Optional<Crowd.Failure>> done) {
        this.exchange = exchange;
        this.changes = changes;
        this.place = place;
        this.entriesToo = entriesToo;
        this.done = done;
    }

    /** Copies a directory to a free name; calls {@code done} once, on the event loop. */
    static void run(
            Exchange exchange,
            Changes changes,
            FileCopy.Place place,
            Relocation relocation,
            boolean entriesToo,
            Consumer<Optional<Crowd.Failure>> done) {
        var copy = new TreeCopy(exchange, changes, place, entriesToo, done);
        copy.levels.push(new Level(relocation.source(), relocation.target(), relocation.status()));
        copy.step();
    }

    private void step() {
        if (levels.isEmpty() || exchange.isOver()) {
            done.accept(Optional.empty());
            return;
        }
        Level level = levels.element();
        if (!level.made) {
            make(level);
        } else if (level.listed) {
            levels.pop();
            step();
        } else {
            exchange.when(
                    changes.list(exchange, level.source, level.after, PAGE_ENTRIES),
                    page -> copyPage(level, page),
                    error -> done.accept(Optional.of(new Crowd.Failure(level.source, error))));
        }
    }

    private void make(Level level) {
        int mode = level.status.mode() & PERMISSIONS | OWNER_MAY_ALL;
        exchange.when(
                changes.make(exchange, new Mutation.MakeDirectory(level.target, mode, false))
                        .thenCompose(_ ->
                                changes.copyAttributes(
                                        exchange, level.source, level.status, level.target)),
                _ -> {
                    level.made = true;
                    level.listed = !entriesToo;
                    step();
                },
                error -> done.accept(Optional.of(new Crowd.Failure(level.target, error))));
    }

    private void copyPage(Level level, DirectoryPage page) {
        level.listed = page.next().isEmpty();
        level.after = page.next().orElse("");
        var files = new ArrayList<Crowd.Member<FilePair>>();
        for (DirectoryPage.Entry entry : page.entries()) {
            FsPath source = level.source.child(entry.name());
            FsPath target = level.target.child(entry.name());
            if (entry.status().isDirectory()) {
                levels.push(new Level(source, target, entry.status()));
            } else if (entry.status().isFile()) {
                files.add(new Crowd.Member<>(source, new FilePair(target, entry.status())));
            }
        }
        Crowd.run(
                exchange,
                files,
                MAX_RUNNING,
                file ->
                        place.copy(exchange, file.path(), file.value().target(), false)
                                .thenCompose(_ ->
                                        changes.copyAttributes(
                                                exchange,
                                                file.path(),
                                                file.value().status(),
                                                file.value().target())),
                (_, _) -> {},
                failure -> {
                    if (failure.isPresent()) {
                        done.accept(failure);
                    } else {
                        step();
                    }
                });
    }
}
