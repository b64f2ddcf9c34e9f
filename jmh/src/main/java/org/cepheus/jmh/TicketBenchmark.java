package org.cepheus.jmh;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKey;
import org.cepheus.auth.FstKeys;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Sealing a ticket at the MGM and opening it at an FST. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TicketBenchmark {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private final FstKeys keys = new FstKeys(ClusterSecret.draw(new Random(1)));
    private final FstKey key = keys.keyOf(1);
    private final Ticket ticket =
            new Ticket(
                    Workload.CLUSTER,
                    1,
                    FsPath.parse("/atlas/data/run1/raw/data.00000001.root"),
                    123_457,
                    new Location(1, 123_456),
                    0,
                    Optional.of(new LeaseRef(1000, "data.00000001.root", 123_456, 123_457)),
                    false,
                    0,
                    OptionalLong.of(0),
                    0,
                    List.of(ChecksumType.ADLER32),
                    NOW,
                    NOW.plusSeconds(60),
                    Workload.CALLER);
    private final String text = TicketSealer.seal(ticket, key);

    @Benchmark
    public String seal() {
        return TicketSealer.seal(ticket, key);
    }

    @Benchmark
    public Ticket open() {
        return TicketSealer.open(text, key, Workload.CLUSTER, NOW);
    }

    @Benchmark
    public FstKey deriveKey() {
        return keys.keyOf(1);
    }
}
