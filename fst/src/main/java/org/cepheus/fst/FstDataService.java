package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.cepheus.auth.FstKey;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.LeaseService;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.VolumeFile;
import org.cepheus.protocol.control.DataMeasure;
import org.cepheus.protocol.control.OpenReads;

/**
 * Opens what tickets allow on the volumes of this FST, keeps interrupted uploads until their client
 * comes back, and deletes what the MGM orders. One lock guards the tables.
 */
final class FstDataService implements DataService {
    /** The most files open at once, for reading and writing together. */
    static final int MAX_OPEN_FILES = 16_384;

    /** How long an upload waits for a client that lost its connection. */
    static final Duration HOLD = Duration.ofMinutes(10);

    /** Ends of uploads that are remembered, for clients that repeat their close. */
    static final int MAX_ENDED = 16_384;

    /** Contents ordered to be deleted that are remembered, so that nobody opens them again. */
    static final int MAX_DOOMED = 65_536;

    private static final int DELETES_PER_CALL = 100;

    private final UUID cluster;
    private final FstKey key;
    private final Map<Integer, MountedVolume> volumes;
    private final LeaseService leases;
    private final InstantSource clock;

    private final Map<Long, Upload> uploads = new HashMap<>();
    private final Map<Long, EndedUpload.Outcome> outcomes =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, EndedUpload.Outcome> eldest) {
                    return size() > MAX_ENDED;
                }
            };
    private final Readers readers = new Readers();
    private final Set<Location> doomed = new LinkedHashSet<>();
    private final SmallContents small = new SmallContents();
    private final AtomicInteger summing = new AtomicInteger();

    FstDataService(
            UUID cluster,
            FstKey key,
            Map<Integer, MountedVolume> volumes,
            LeaseService leases,
            InstantSource clock) {
        this.cluster = cluster;
        this.key = key;
        this.volumes = Map.copyOf(volumes);
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    public CompletionStage<DataFile> open(String sealedTicket) {
        try {
            Ticket ticket = TicketSealer.openAgain(sealedTicket, key, cluster);
            MountedVolume mounted = volumes.get(ticket.location().volumeId());
            if (mounted == null) {
                return failed(
                        new FsError.TicketInvalid(
                                "FST %d does not have volume %d"
                                        .formatted(key.fstId(), ticket.location().volumeId())));
            }
            Optional<LeaseRef> lease = ticket.lease();
            return lease.isPresent()
                    ? openUpload(ticket, lease.get(), mounted)
                    : openContent(ticket, mounted);
        } catch (FsException e) {
            return failed(e.error());
        }
    }

    private CompletionStage<DataFile> openUpload(
            Ticket ticket, LeaseRef lease, MountedVolume mounted) {
        Upload upload;
        boolean isNew = false;
        synchronized (this) {
            EndedUpload.Outcome outcome = outcomes.get(lease.id());
            if (outcome != null) {
                return CompletableFuture.completedFuture(new EndedUpload(ticket, outcome));
            }
            upload = uploads.get(lease.id());
            if (upload == null) {
                TicketSealer.requireFresh(ticket, clock.instant());
                admit(ticket);
                upload = new Upload(ticket, lease, mounted, leases, this::ended);
                uploads.put(lease.id(), upload);
                isNew = true;
            }
        }
        var handle = new UploadHandle(upload);
        upload.attach(handle);
        if (isNew) {
            leases.opened(lease);
        }
        return isNew && ticket.inPlace()
                ? openInPlace(upload, handle, mounted)
                : CompletableFuture.completedFuture(handle);
    }

    private CompletionStage<DataFile> openInPlace(
            Upload upload, UploadHandle handle, MountedVolume mounted) {
        // A ticket may outlive its lease, and what is written in place is there at once: the lease
        // has to be alive.
        return leases.extend(upload.ticket().caller(), upload.lease(), 0)
                .thenCompose(_ ->
                        mounted.pool()
                                .<DataFile>run(() -> {
                                    upload.openInPlace();
                                    return handle;
                                }))
                .whenComplete((_, thrown) -> {
                    if (thrown != null) {
                        upload.giveUp(FsException.errorOf(thrown));
                    }
                });
    }

    private CompletionStage<DataFile> openContent(Ticket ticket, MountedVolume mounted) {
        TicketSealer.requireFresh(ticket, clock.instant());
        Readers.Reader reader;
        synchronized (this) {
            admit(ticket);
            reader = readers.enter(ticket, clock.instant());
        }
        if (ticket.sizeBytes() == 0) {
            return CompletableFuture.completedFuture(
                    reader.opened(
                            new ReadHandle(
                                    ticket,
                                    Content.InMemory.NOTHING,
                                    mounted,
                                    summing,
                                    reader::leave)));
        }
        return mounted.pool()
                .<DataFile>run(() -> reader.opened(handle(ticket, mounted, reader::leave)))
                .whenComplete((_, thrown) -> {
                    if (thrown != null) {
                        reader.leave();
                    }
                });
    }

    /** On the pool. What is small is read now, and its file closed. */
    private ReadHandle handle(Ticket ticket, MountedVolume mounted, Runnable ended) {
        VolumeFile file = openFile(ticket, mounted);
        Optional<ByteBuffer> loaded;
        try {
            loaded = small.load(file, ticket.sizeBytes());
        } catch (FsException e) {
            file.close();
            throw e;
        }
        if (loaded.isEmpty()) {
            return new ReadHandle(ticket, new Content.OnVolume(file), mounted, summing, ended);
        }
        file.close();
        ByteBuffer bytes = loaded.get();
        Runnable done =
                () -> {
                    small.giveBack(bytes);
                    ended.run();
                };
        return new ReadHandle(ticket, new Content.InMemory(bytes), mounted, summing, done);
    }

    /** On the pool. */
    private static VolumeFile openFile(Ticket ticket, MountedVolume mounted) {
        var content = new ContentId(ticket.location().dataId(), ticket.restoreEpoch());
        VolumeFile file = mounted.volume().open(content, false);
        long size = file.sizeBytes();
        if (size < ticket.sizeBytes()) {
            file.close();
            throw new FsException(
                    new FsError.IoFailure(
                            "the data of %s has %d bytes, %d were committed (volume %d, dataId %d)"
                                    .formatted(
                                            ticket.path(),
                                            size,
                                            ticket.sizeBytes(),
                                            ticket.location().volumeId(),
                                            content.dataId())));
        }
        return file;
    }

    /** Under the lock: refuses what is to be deleted, and more than the limit. */
    private void admit(Ticket ticket) {
        if (doomed.contains(ticket.location())) {
            throw new FsException(
                    new FsError.NotFound(
                            "this content of %s was removed or replaced".formatted(ticket.path())));
        }
        if (uploads.size() + readers.count() >= MAX_OPEN_FILES) {
            throw new FsException(
                    new FsError.Overloaded(
                            "FST %d has %d files open, its limit"
                                    .formatted(key.fstId(), MAX_OPEN_FILES),
                            5));
        }
    }

    private synchronized void ended(Upload upload, EndedUpload.Outcome outcome) {
        if (uploads.remove(upload.lease().id(), upload)) {
            outcomes.put(upload.lease().id(), outcome);
        }
    }

    /** Aborts uploads whose clients have been gone for so long; to be called now and then. */
    void giveUpAbandoned(Duration hold) {
        for (Upload upload : running()) {
            if (upload.isHeldLongerThan(hold.toNanos(), System.nanoTime())) {
                upload.giveUp(
                        new FsError.LeaseGone(
                                "the client of %s did not come back within %d minutes"
                                        .formatted(upload.ticket().path(), hold.toMinutes())));
            }
        }
    }

    private synchronized List<Upload> running() {
        return List.copyOf(uploads.values());
    }

    /** How many clients have a file open. */
    int streams() {
        int writers = (int) running().stream().filter(Upload::hasClient).count();
        return readers.count() + writers;
    }

    /** The oldest files that are open for reading, at most so many. */
    OpenReads reads(int max) {
        return readers.oldest(key.fstId(), max);
    }

    /** Ends a download, as {@link Readers#end}. */
    void endRead(long number, String reason) {
        readers.end(number, reason);
    }

    /** Uploads in progress, held ones included. */
    synchronized int uploadCount() {
        return uploads.size();
    }

    /** Deletes what is not open; answers what is gone. The others are for a later order. */
    CompletionStage<List<Long>> delete(int volumeId, List<Long> dataIds) {
        MountedVolume mounted = volumes.get(volumeId);
        if (mounted == null) {
            return failed(
                    new FsError.InvalidArgument(
                            "FST %d does not have volume %d".formatted(key.fstId(), volumeId)));
        }
        List<Long> idle = idle(volumeId, dataIds);
        CompletionStage<List<Long>> gone = CompletableFuture.completedFuture(List.of());
        for (int from = 0; from < idle.size(); from += DELETES_PER_CALL) {
            List<Long> some = idle.subList(from, Math.min(idle.size(), from + DELETES_PER_CALL));
            gone =
                    gone.thenCombine(
                            mounted.pool().run(() -> deleted(mounted, some)),
                            FstDataService::joined);
        }
        return gone;
    }

    /**
     * The size of a content and its time, after uploads in place have ended: their lease is lost.
     */
    CompletionStage<DataMeasure> measure(Location location, int restoreEpoch) {
        MountedVolume mounted = volumes.get(location.volumeId());
        if (mounted == null) {
            return failed(
                    new FsError.InvalidArgument(
                            "FST %d does not have volume %d"
                                    .formatted(key.fstId(), location.volumeId())));
        }
        CompletionStage<Void> ended = CompletableFuture.completedFuture(null);
        for (Upload upload : running()) {
            if (upload.ticket().location().equals(location)) {
                var why =
                        new FsError.LeaseGone(
                                "the lease to update %s was lost"
                                        .formatted(upload.ticket().path()));
                ended = ended.thenCombine(upload.giveUp(why), (_, _) -> null);
            }
        }
        var content = new ContentId(location.dataId(), restoreEpoch);
        return ended.thenCompose(_ -> mounted.pool().run(() -> measured(mounted, content)));
    }

    /** On the pool. */
    private static DataMeasure measured(MountedVolume mounted, ContentId content) {
        try (VolumeFile file = mounted.volume().open(content, false)) {
            file.sync();
            return new DataMeasure(file.sizeBytes(), file.modified());
        }
    }

    /**
     * Ends an upload whose lease the MGM has aborted. If its client has not come yet, it finds an
     * upload that is over.
     */
    CompletionStage<Void> endUpload(LeaseRef lease, String reason) {
        Upload upload;
        synchronized (this) {
            upload = uploads.get(lease.id());
            if (upload == null) {
                outcomes.putIfAbsent(
                        lease.id(),
                        new EndedUpload.Outcome.Aborted(
                                new FsError.LeaseGone("the upload was " + reason)));
                return CompletableFuture.completedFuture(null);
            }
        }
        return upload.giveUp(
                new FsError.LeaseGone(
                        "the upload of %s was %s".formatted(upload.ticket().path(), reason)));
    }

    /** Those that nobody has open; the rest are closed to newcomers, and their uploads end. */
    private List<Long> idle(int volumeId, List<Long> dataIds) {
        var idle = new ArrayList<Long>();
        var dying = new ArrayList<Upload>();
        synchronized (this) {
            Map<Location, Upload> writing = new HashMap<>();
            uploads.values().forEach(upload -> writing.put(upload.ticket().location(), upload));
            for (long dataId : dataIds) {
                var location = new Location(volumeId, dataId);
                doom(location);
                Upload upload = writing.get(location);
                if (upload != null) {
                    dying.add(upload);
                } else if (!readers.isRead(location)) {
                    idle.add(dataId);
                }
            }
        }
        for (Upload upload : dying) {
            upload.giveUp(
                    new FsError.LeaseGone(
                            "%s was removed or replaced while it was written"
                                    .formatted(upload.ticket().path())));
        }
        return idle;
    }

    /** Under the lock. */
    private void doom(Location location) {
        if (doomed.size() >= MAX_DOOMED) {
            doomed.remove(doomed.iterator().next());
        }
        doomed.add(location);
    }

    /** On the pool; stops at the first that fails, which is ordered again. */
    private static List<Long> deleted(MountedVolume mounted, List<Long> dataIds) {
        var gone = new ArrayList<Long>();
        for (long dataId : dataIds) {
            try {
                mounted.volume().delete(dataId);
            } catch (FsException e) {
                return gone;
            }
            gone.add(dataId);
        }
        return gone;
    }

    private static List<Long> joined(List<Long> first, List<Long> second) {
        var both = new ArrayList<Long>(first);
        both.addAll(second);
        return both;
    }

    private static <T> CompletionStage<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
