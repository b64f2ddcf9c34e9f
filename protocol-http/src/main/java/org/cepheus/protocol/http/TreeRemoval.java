package org.cepheus.protocol.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;

/**
 * Removes a directory with all that is in it, from the leaves up, one change for each entry. When a
 * step fails, what was removed is gone and the rest stays as it is; repeating it goes on there.
 * Holds one page of names for each level of the tree. Confined to the event loop.
 */
final class TreeRemoval {
    /** Changes under way at once; they share log entries. */
    private static final int MAX_RUNNING = 64;

    private static final int PAGE_ENTRIES = 1000;

    /** How often a directory that others go on filling is emptied again. */
    private static final int MAX_PASSES = 10;

    private final Exchange exchange;
    private final Changes changes;
    private final Consumer<Optional<Crowd.Failure>> done;
    private final Deque<FsPath> directories = new ArrayDeque<>();
    private int passes;

    private TreeRemoval(
            Exchange exchange, Changes changes, Consumer<Optional<Crowd.Failure>> done) {
        this.exchange = exchange;
        this.changes = changes;
        this.done = done;
    }

    /** Calls {@code done} once, on the event loop. */
    static void run(
            Exchange exchange,
            Changes changes,
            FsPath directory,
            Consumer<Optional<Crowd.Failure>> done) {
        var removal = new TreeRemoval(exchange, changes, done);
        removal.directories.push(directory);
        removal.step();
    }

    private void step() {
        if (directories.isEmpty() || exchange.isOver()) {
            done.accept(Optional.empty());
            return;
        }
        FsPath directory = directories.element();
        exchange.when(
                changes.list(exchange, directory, "", PAGE_ENTRIES),
                page -> {
                    if (page.entries().isEmpty()) {
                        removeEmpty(directory);
                    } else {
                        empty(directory, page);
                    }
                },
                error -> goneOr(directory, error));
    }

    private void empty(FsPath directory, DirectoryPage page) {
        var files = new ArrayList<Crowd.Member<Mutation>>();
        for (DirectoryPage.Entry entry : page.entries()) {
            FsPath path = directory.child(entry.name());
            if (entry.status().isDirectory()) {
                directories.push(path);
            } else {
                files.add(new Crowd.Member<>(path, new Mutation.RemoveFile(path)));
            }
        }
        Crowd.run(
                exchange,
                files,
                MAX_RUNNING,
                file -> changes.remove(exchange, file.value()),
                (_, _) -> {},
                failure -> {
                    if (failure.isPresent()) {
                        done.accept(failure);
                    } else {
                        step();
                    }
                });
    }

    private void removeEmpty(FsPath directory) {
        exchange.when(
                changes.remove(exchange, new Mutation.RemoveDirectory(directory)),
                _ -> {
                    directories.pop();
                    passes = 0;
                    step();
                },
                error -> {
                    passes++;
                    if (error instanceof FsError.NotEmpty && passes < MAX_PASSES) {
                        step();
                    } else {
                        goneOr(directory, error);
                    }
                });
    }

    /** What somebody else has removed meanwhile is no failure. */
    private void goneOr(FsPath directory, FsError error) {
        if (error instanceof FsError.NotFound) {
            directories.pop();
            step();
        } else {
            done.accept(Optional.of(new Crowd.Failure(directory, error)));
        }
    }
}
