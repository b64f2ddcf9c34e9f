package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Tables;

/** FSTs and the time that their leases have, all on the lease clock. */
public final class FleetRules {
    /** How long a lease lives that no client has come with. */
    public static final long GRANTED_NANOS = 300L * 1_000_000_000;

    /** How long an opened lease lives after its FST renewed for the last time. */
    public static final long HOLD_NANOS = 600L * 1_000_000_000;

    private FleetRules() {}

    static void register(Work work, FleetCommand.RegisterFst command) {
        int id = command.address().fstId();
        Optional<Fst> before = work.draft().get(Tables.FSTS, id);
        before.filter(fst -> fst.bootId() > command.bootId())
                .ifPresent(fst -> {
                    throw Work.refuse(
                            new FsError.AlreadyExists(
                                    "FST %d has been started again since (boot %x, this is boot %x): its leases stay"
                                            .formatted(id, fst.bootId(), command.bootId())));
                });
        work.draft()
                .put(
                        Tables.FSTS,
                        id,
                        new Fst(
                                command.address(),
                                command.bootId(),
                                work.leaseNow(),
                                command.volumes()));
        if (before.filter(fst -> fst.bootId() == command.bootId()).isEmpty()) {
            List<Lease> lost =
                    leases(
                            work,
                            lease -> lease.fstId() == id && lease.bootId() != command.bootId(),
                            Integer.MAX_VALUE);
            lost.forEach(lease -> UploadRules.abort(work, lease, "the FST was restarted"));
        }
    }

    static void renew(Work work, FleetCommand.RenewSession command) {
        Fst fst =
                work.draft()
                        .get(Tables.FSTS, command.fstId())
                        .filter(known -> known.bootId() == command.bootId())
                        .orElseThrow(() ->
                                Work.refuse(
                                        new FsError.NotFound(
                                                "FST %d is not registered with boot %x: say hello first"
                                                        .formatted(
                                                                command.fstId(),
                                                                command.bootId()))));
        work.draft().put(Tables.FSTS, command.fstId(), fst.renewedAt(work.leaseNow()));
        for (LeaseRef ref : command.opened()) {
            UploadRules.find(work, ref)
                    .filter(lease -> !lease.opened())
                    .filter(lease -> lease.fstId() == command.fstId())
                    .filter(lease -> lease.bootId() == command.bootId())
                    .ifPresent(lease -> work.draft().put(Tables.LEASES, ref, lease.asOpened()));
        }
    }

    static Reply expire(Work work, FleetCommand.ExpireLeases command) {
        List<Lease> dead = leases(work, lease -> isDead(work, lease), Math.max(0, command.max()));
        dead.forEach(lease -> UploadRules.abort(work, lease, "its time was over"));
        return new Reply.Expired(dead.size());
    }

    private static boolean isDead(Work work, Lease lease) {
        return isDead(lease, work.draft().get(Tables.FSTS, lease.fstId()), work.leaseNow());
    }

    /** Whether a lease has outlived its grant, or its FST's silence. */
    public static boolean isDead(Lease lease, Optional<Fst> fst, long leaseNow) {
        if (!lease.opened()) {
            return leaseNow - lease.grantedNanos() > GRANTED_NANOS;
        }
        long alive =
                fst.filter(known -> known.bootId() == lease.bootId())
                        .map(Fst::renewedNanos)
                        .orElse(lease.grantedNanos());
        return leaseNow - Math.max(alive, lease.grantedNanos()) > HOLD_NANOS;
    }

    private static List<Lease> leases(Work work, Predicate<Lease> which, int max) {
        var found = new ArrayList<Lease>();
        if (max == 0) {
            return found;
        }
        byte[] first = {};
        byte[] beyond = Tables.longKey(-1);
        work.draft()
                .scan(
                        Tables.LEASES,
                        first,
                        beyond,
                        (_, lease) -> {
                            if (which.test(lease)) {
                                found.add(lease);
                            }
                            return found.size() < max;
                        });
        return found;
    }

    static void collected(Work work, FleetCommand.CollectGarbage command) {
        for (long dataId : command.dataIds()) {
            work.draft().delete(Tables.GARBAGE, new GarbageKey(command.volumeId(), dataId));
        }
    }
}
