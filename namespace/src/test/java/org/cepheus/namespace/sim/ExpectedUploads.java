package org.cepheus.namespace.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.sim.ExpectedNames.Reasons;
import org.cepheus.namespace.sim.ExpectedNames.Where;
import org.cepheus.namespace.sim.Model.Dir;
import org.cepheus.namespace.sim.Model.File;
import org.cepheus.namespace.sim.Model.Name;
import org.cepheus.namespace.sim.Model.Node;
import org.cepheus.namespace.sim.Model.Upload;

/** What should become of uploads, from open to commit, and of the FSTs that carry them. */
final class ExpectedUploads {
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;

    private final Model model;
    private final ExpectedNames names;
    private final long leaseNow;

    ExpectedUploads(Model model, ExpectedNames names, long leaseNow) {
        this.model = model;
        this.names = names;
        this.leaseNow = leaseNow;
    }

    void open(LeaseCommand.OpenForWrite c, Reply reply) {
        new Reasons()
                .when(c.path().isRoot(), FsError.IsDirectory.class)
                .when(c.declaredSizeBytes().orElse(0) < 0, FsError.InvalidArgument.class)
                .when(isOfAnotherBoot(c.placement()), FsError.Unavailable.class)
                .refuseIfAny();
        if (c.makeParents()) {
            names.ensure(c.path().parent(), 0755);
        }
        Where where = names.walk(c.path());
        if (c.intent() == Intent.UPDATE) {
            openInPlace(c, where, reply);
        } else {
            openNewContent(c, where, reply);
        }
    }

    private boolean isOfAnotherBoot(LeaseCommand.Placement placement) {
        Model.Fst fst = model.fsts.get(placement.fstId());
        return fst != null && fst.boot() != placement.bootId();
    }

    private void openInPlace(LeaseCommand.OpenForWrite c, Where where, Reply reply) {
        if (!(names.existing(where) instanceof File file)) {
            throw Expected.refusal(FsError.IsDirectory.class);
        }
        new Reasons()
                .when(!names.mayWrite(file), FsError.PermissionDenied.class)
                .when(file.updating() != 0 || file.unsettled(), FsError.FileLocked.class)
                .refuseIfAny();
        LeaseRef ref = granted(reply, 0);
        model.nodes.put(where.name(), file.withWriter(ref.id(), false));
        put(c, ref, where.name(), new Charged(file.owner(), file.group(), 0, 0));
    }

    private void openNewContent(LeaseCommand.OpenForWrite c, Where where, Reply reply) {
        Optional<Node> old = where.node();
        new Reasons()
                .when(old.isPresent() && c.intent() == Intent.NEW, FsError.AlreadyExists.class)
                .when(old.filter(Dir.class::isInstance).isPresent(), FsError.IsDirectory.class)
                .when(
                        old.isEmpty() && !names.mayChange(where.dir()),
                        FsError.PermissionDenied.class)
                .when(
                        old.filter(node -> !names.mayWrite(node)).isPresent(),
                        FsError.PermissionDenied.class)
                .refuseIfAny();
        boolean inherits = (where.dir().mode() & 02000) != 0;
        String group = inherits ? where.dir().group() : names.who().primaryGroup();
        String owner = names.who().user();
        long oldSize = 0;
        if (old.orElse(null) instanceof File file) {
            owner = file.owner();
            group = file.group();
            oldSize = file.sizeBytes();
        }
        long bytes =
                c.declaredSizeBytes().isPresent()
                        ? Math.max(0, c.declaredSizeBytes().getAsLong() - oldSize)
                        : firstChunk(model.room(where.dir().tag(), owner, group));
        put(
                c,
                granted(reply, bytes),
                where.name(),
                new Charged(owner, group, bytes, old.isPresent() ? 0 : 1));
    }

    private record Charged(String owner, String group, long bytes, long files) {}

    private void put(LeaseCommand.OpenForWrite c, LeaseRef ref, Name at, Charged charged) {
        model.uploads.put(
                ref.id(),
                new Upload(
                        ref,
                        at,
                        c.intent(),
                        charged.owner(),
                        charged.group(),
                        c.mode() & 0777,
                        c.declaredSizeBytes(),
                        charged.bytes(),
                        charged.files(),
                        c.placement().fstId(),
                        c.placement().bootId(),
                        false,
                        leaseNow));
    }

    private static long firstChunk(long room) {
        for (long chunk = 16 * MIB; chunk >= MIB; chunk /= 2) {
            if (chunk <= room) {
                return chunk;
            }
        }
        throw Expected.refusal(FsError.QuotaExceeded.class);
    }

    // A refusal in place of a grant shows when the replies are compared.
    private static LeaseRef granted(Reply reply, long bytes) {
        if (reply instanceof Reply.Opened opened) {
            must(opened.reservedBytes() == bytes, "reserved should be " + bytes);
            return opened.lease();
        }
        return new LeaseRef(-1, "", -1, -1);
    }

    private static void must(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    void extend(LeaseCommand.ExtendReservation c, Reply reply) {
        Upload upload = upload(c.lease());
        if (c.wantedBytes() <= upload.bytes()) {
            return;
        }
        // All or nothing; the limits see to the rest.
        must(
                reply instanceof Reply.Refused || reply.equals(new Reply.Extended(c.wantedBytes())),
                "all that was wanted is given");
        model.uploads.put(c.lease().id(), upload.withBytes(c.wantedBytes()));
    }

    private Upload upload(LeaseRef ref) {
        return Optional.ofNullable(model.uploads.get(ref.id()))
                .orElseThrow(() -> Expected.refusal(FsError.LeaseGone.class));
    }

    void commit(LeaseCommand.Commit c, Reply reply) {
        if (!model.uploads.containsKey(c.lease().id())) {
            requireCommittedBefore(c.lease());
            return;
        }
        Upload upload = upload(c.lease());
        boolean inPlace = upload.intent() == Intent.UPDATE;
        new Reasons()
                .when(c.sizeBytes() < 0, FsError.InvalidArgument.class)
                .when(
                        !inPlace && upload.declared().orElse(c.sizeBytes()) != c.sizeBytes(),
                        FsError.SizeMismatch.class)
                .refuseIfAny();
        Name at = inPlace ? writtenBy(c.lease().id()) : upload.at();
        model.uploads.remove(c.lease().id());
        File file = committed(upload, at, c);
        model.nodes.put(at, file);
        if (reply instanceof Reply.Committed answer) {
            must(answer.status().sizeBytes() == c.sizeBytes(), "the size is the committed one");
            must(answer.status().contentVersion() == c.lease().id(), "the version is the lease's");
        }
    }

    private void requireCommittedBefore(LeaseRef ref) {
        boolean lives =
                model.nodes.values().stream()
                        .anyMatch(node ->
                                node instanceof File f
                                        && (f.version() == ref.id() || f.content() == ref.id()));
        new Reasons().when(!lives, FsError.LeaseGone.class).refuseIfAny();
    }

    private Name writtenBy(long lease) {
        return model.nodes.entrySet().stream()
                .filter(e -> e.getValue() instanceof File f && f.updating() == lease)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> Expected.refusal(FsError.LeaseGone.class));
    }

    private File committed(Upload upload, Name at, LeaseCommand.Commit c) {
        return switch (model.at(at).orElse(null)) {
            case null ->
                    new File(
                            model.nextTag(),
                            upload.owner(),
                            upload.group(),
                            upload.mode(),
                            c.sizeBytes(),
                            c.lease().id(),
                            c.lease().id(),
                            0,
                            false);
            case File old -> {
                new Reasons()
                        .when(upload.intent() == Intent.NEW, FsError.AlreadyExists.class)
                        .refuseIfAny();
                names.end(old.version());
                model.uploads.remove(old.updating());
                yield upload.intent() == Intent.UPDATE
                        ? old.withSize(c.lease().id(), c.sizeBytes())
                        : old.withContent(c.lease().id(), c.sizeBytes());
            }
            case Dir _ -> throw Expected.refusal(FsError.IsDirectory.class);
        };
    }

    /** The upload is over without a content; a writer in place leaves its file unsettled. */
    void end(long lease) {
        Upload upload = model.uploads.remove(lease);
        if (upload != null && upload.intent() == Intent.UPDATE) {
            Name at = writtenBy(lease);
            model.at(at)
                    .ifPresent(node -> {
                        if (node instanceof File file) {
                            model.nodes.put(at, file.withWriter(0, true));
                        }
                    });
        }
    }

    void register(FleetCommand.RegisterFst c) {
        int id = c.address().fstId();
        Model.Fst before = model.fsts.get(id);
        new Reasons()
                .when(before != null && before.boot() > c.bootId(), FsError.AlreadyExists.class)
                .refuseIfAny();
        model.fsts.put(id, new Model.Fst(c.bootId(), leaseNow));
        List<Long> lost =
                model.uploads.values().stream()
                        .filter(u -> u.fst() == id && u.boot() != c.bootId())
                        .map(u -> u.ref().id())
                        .toList();
        lost.forEach(this::end);
    }

    void renew(FleetCommand.RenewSession c) {
        Model.Fst fst = model.fsts.get(c.fstId());
        new Reasons()
                .when(fst == null || fst.boot() != c.bootId(), FsError.NotFound.class)
                .refuseIfAny();
        model.fsts.put(c.fstId(), new Model.Fst(c.bootId(), leaseNow));
        Set<LeaseRef> opened = Set.copyOf(c.opened());
        model.uploads.replaceAll((_, u) ->
                opened.contains(u.ref()) && u.fst() == c.fstId() && u.boot() == c.bootId()
                        ? u.asOpened()
                        : u);
    }

    void expire(FleetCommand.ExpireLeases c, Reply reply) {
        List<Long> dead =
                model.uploads.values().stream()
                        .filter(this::isDead)
                        .map(u -> u.ref().id())
                        .toList();
        must(dead.size() <= c.max(), "the workload lets all be swept");
        must(reply.equals(new Reply.Expired(dead.size())), dead.size() + " should have ended");
        dead.forEach(this::end);
    }

    void settle(FleetCommand.SettleFile c, Reply reply) {
        Map.Entry<Name, Node> found =
                model.nodes.entrySet().stream()
                        .filter(e ->
                                e.getValue() instanceof File f
                                        && f.unsettled()
                                        && f.content() == c.dataId())
                        .findFirst()
                        .orElseThrow(() -> Expected.refusal(FsError.NotFound.class));
        new Reasons().when(c.sizeBytes() < 0, FsError.InvalidArgument.class).refuseIfAny();
        if (found.getValue() instanceof File old) {
            // The version is the namespace's to draw.
            long version =
                    reply instanceof Reply.Committed said ? said.status().contentVersion() : -1;
            names.end(old.version());
            model.nodes.put(found.getKey(), old.withSize(version, c.sizeBytes()));
        }
    }

    private boolean isDead(Upload u) {
        if (!u.opened()) {
            return leaseNow - u.granted() > 300 * SECOND;
        }
        Model.Fst fst = model.fsts.get(u.fst());
        long alive = fst != null && fst.boot() == u.boot() ? fst.renewed() : u.granted();
        return leaseNow - Math.max(alive, u.granted()) > 600 * SECOND;
    }
}
