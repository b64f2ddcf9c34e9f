package org.cepheus.mgm.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the disk that holds the log and the store. With too little left this member gives up
 * leadership and takes no changes, while it can still read: a full disk would end it.
 */
public final class DiskGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);

    private final Path directory;
    private final long leastFreeBytes;
    private final Runnable giveUpLeadership;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("disk-guard").daemon().factory());
    private volatile Optional<String> trouble = Optional.empty();

    /** Looks once at once; {@link #start} keeps looking. */
    public DiskGuard(Path directory, long leastFreeBytes, Runnable giveUpLeadership) {
        this.directory = directory;
        this.leastFreeBytes = leastFreeBytes;
        this.giveUpLeadership = giveUpLeadership;
        look();
    }

    public void start() {
        thread.scheduleWithFixedDelay(this::watch, 1, 1, TimeUnit.SECONDS);
    }

    /** Why nothing may be written now, if so. */
    public Optional<String> trouble() {
        return trouble;
    }

    private void watch() {
        look();
        if (trouble.isPresent()) {
            giveUpLeadership.run();
        }
    }

    private void look() {
        Optional<String> before = trouble;
        trouble = found();
        if (before.isEmpty() && trouble.isPresent()) {
            LOG.error("{}", trouble.get());
        } else if (before.isPresent() && trouble.isEmpty()) {
            LOG.info("the disk of {} has room again", directory);
        }
    }

    private Optional<String> found() {
        try {
            long free = Files.getFileStore(directory).getUsableSpace();
            return free >= leastFreeBytes
                    ? Optional.empty()
                    : Optional.of(
                            "the MGM's disk at %s has %d bytes free and needs %d: free some, changes are refused until then"
                                    .formatted(directory, free, leastFreeBytes));
        } catch (IOException e) {
            return Optional.of("the MGM's disk at %s cannot be read: %s".formatted(directory, e));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
