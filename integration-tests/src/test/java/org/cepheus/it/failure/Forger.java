package org.cepheus.it.failure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.UUID;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Ticket;
import org.cepheus.it.harness.CepheusUp;

/** Makes tickets that no MGM has made; some of them with the cluster's own secret. */
final class Forger {
    private final UUID cluster;
    private final FstKeys keys;

    Forger(CepheusUp up) {
        this.cluster = cluster(up.data().resolve("cepheus.version"));
        this.keys = new FstKeys(ClusterSecret.read(up.data().resolve("secret")));
    }

    private static UUID cluster(Path marker) {
        var properties = new Properties();
        try (var in = Files.newBufferedReader(marker)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UUID.fromString(properties.getProperty("cluster", ""));
    }

    private Ticket read(Grant grant) {
        int fst = TicketSealer.fstIdOf(grant.ticket()).orElseThrow();
        return TicketSealer.openAgain(grant.ticket(), keys.keyOf(fst), cluster);
    }

    private String seal(Ticket ticket) {
        return TicketSealer.seal(ticket, keys.keyOf(ticket.fstId()));
    }

    /** The same that was good until a second ago. */
    String expired(Grant grant) {
        Ticket good = read(grant);
        return seal(changed(good, good.cluster(), good.lease(), Instant.now().minusSeconds(1)));
    }

    /** Of another cluster that shares the secret, as after a copy of its files. */
    String ofAnotherCluster(Grant grant) {
        Ticket good = read(grant);
        return seal(changed(good, UUID.randomUUID(), good.lease(), good.expiry()));
    }

    /** Sealed with a secret that somebody made up. */
    String underAnotherSecret(Grant grant) {
        Ticket good = read(grant);
        var secret = ClusterSecret.draw(new SplittableRandom(1));
        return TicketSealer.seal(good, new FstKeys(secret).keyOf(good.fstId()));
    }

    /** For a lease that the MGM does not know any more. */
    String ofAForgottenLease(Grant grant) {
        Ticket good = read(grant);
        LeaseRef lease = good.lease().orElseThrow();
        var forgotten =
                new LeaseRef(lease.parent(), lease.name(), lease.id() + 1_000_000, lease.inode());
        return seal(changed(good, good.cluster(), Optional.of(forgotten), good.expiry()));
    }

    private static Ticket changed(
            Ticket of, UUID cluster, Optional<LeaseRef> lease, Instant expiry) {
        return new Ticket(
                cluster,
                of.fstId(),
                of.path(),
                of.inode(),
                of.location(),
                of.restoreEpoch(),
                lease,
                of.inPlace(),
                of.contentVersion(),
                of.sizeBytes(),
                of.declaredSizeBytes(),
                of.reservedBytes(),
                of.checksums(),
                of.modified(),
                expiry,
                of.caller());
    }
}
