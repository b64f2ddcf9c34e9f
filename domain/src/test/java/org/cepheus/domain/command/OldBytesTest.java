package org.cepheus.domain.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Entries as the first version wrote them, one file of hex for each kind of command. They must
 * decode to the same for ever: a log may hold them. A changed command gets a version and a file of
 * its own; a file is never changed.
 */
class OldBytesTest {
    private static final FsPath PATH = FsPath.parse("/data/run1/büro");
    private static final LeaseRef LEASE = new LeaseRef(17, "file.root", 4711, 4712);

    static List<Command> commands() {
        return List.of(
                new Mutation.MakeDirectory(PATH, 02775, true),
                new Mutation.RemoveFile(PATH),
                new Mutation.RemoveDirectory(PATH),
                new Mutation.Rename(PATH, FsPath.parse("/data/run2"), true),
                new Mutation.SetMode(PATH, 0640),
                new Mutation.SetOwner(PATH, Optional.of("alice"), Optional.of("atlas")),
                new Mutation.SetModified(PATH, Instant.parse("2026-11-20T10:00:00.000000001Z")),
                new Mutation.SetAttribute(PATH, "user.a", Bytes.copyOf(new byte[] {0, -1}), true),
                new Mutation.RemoveAttribute(PATH, "user.a"),
                new Mutation.ChangeAttributes(
                        PATH,
                        List.of(
                                new Mutation.AttributeChange(
                                        "user.a", Optional.of(Bytes.copyOf(new byte[] {0, -1}))),
                                new Mutation.AttributeChange("user.b", Optional.empty()))),
                new Mutation.SetQuota(
                        PATH,
                        QuotaKind.GROUP,
                        "atlas",
                        OptionalLong.of(1L << 40),
                        OptionalLong.of(-1)),
                new Mutation.SetDefaultQuota(
                        PATH,
                        QuotaKind.USER,
                        new QuotaChange(
                                OptionalLong.of(1L << 40),
                                OptionalLong.of(-1),
                                OptionalLong.of(1L << 39),
                                OptionalLong.of(-2))),
                new Mutation.RemoveQuota(PATH),
                new Mutation.IfVersion(4711, new Mutation.RemoveFile(PATH)),
                new LeaseCommand.OpenForWrite(
                        PATH,
                        Intent.REPLACE,
                        true,
                        0644,
                        OptionalLong.of(1L << 32),
                        new LeaseCommand.Placement(3, 2, 0x1234567890L)),
                new LeaseCommand.ExtendReservation(LEASE, 1L << 30),
                new LeaseCommand.Commit(
                        LEASE,
                        1L << 32,
                        List.of(
                                Checksum.of(ChecksumType.ADLER32, 0x03da0195),
                                Checksum.of(ChecksumType.CRC32C, 0xe3069283)),
                        Optional.of(Instant.parse("2026-11-20T10:00:00Z"))),
                new LeaseCommand.Abort(LEASE, "the client went away"),
                new FleetCommand.RegisterFst(
                        new FstAddress(2, "fst2.example.org", 1095, 8081),
                        -77,
                        List.of(
                                new FleetCommand.Volume(
                                        3, "9a1b3c5d-0000-4000-8000-000000000001"))),
                new FleetCommand.RenewSession(2, -77, List.of(LEASE)),
                new FleetCommand.ExpireLeases(1000),
                new FleetCommand.CollectGarbage(3, List.of(4711L, 1L << 40)),
                new FleetCommand.SettleFile(
                        4712, 4711, 1L << 32, Instant.parse("2026-11-20T10:00:00Z")),
                new QuotaCommand.AddCounted(
                        17,
                        4713,
                        2_000,
                        List.of(
                                new QuotaCommand.Found(
                                        QuotaKind.GROUP, 18, 1L << 40, 3, -(1L << 24), -1)),
                        true),
                new OperatorCommand.SetState(ServiceTarget.volume(3), ServiceState.DRAIN),
                new OperatorCommand.Once(
                        new OnceKey("key-1", Bytes.copyOf(new byte[] {0, -1})),
                        new Mutation.RemoveDirectory(PATH)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void theFirstVersionsBytesDecodeForEver(Command command) throws IOException {
        byte[] old = HexFormat.of().parseHex(fixture(command));

        assertThat(LogEntry.decode(old)).isEqualTo(entry(command));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void thisVersionWritesTheSameBytes(Command command) throws IOException {
        assertThat(HexFormat.of().formatHex(entry(command).encode())).isEqualTo(fixture(command));
    }

    static LogEntry entry(Command command) {
        var alice = new Identity("alice", List.of("atlas", "users"), false);
        var caller = new Caller(alice, "[2001:db8::1]:40000", new TraceId(0xfeedL));
        return new LogEntry(
                UUID.fromString("00112233-4455-4677-8899-aabbccddeeff"),
                new LogEntry.BatchId(5, 6),
                1_790_000_000_000_000_000L,
                123_456_789_000L,
                1,
                Optional.of(new LogEntry.ChainCheck(99, 0x0123456789abcdefL)),
                List.of(new LogEntry.Item(caller, command)));
    }

    private static String fixture(Command command) throws IOException {
        String name = "/log/" + command.getClass().getSimpleName() + "-1.hex";
        try (InputStream in = OldBytesTest.class.getResourceAsStream(name)) {
            byte[] text = Objects.requireNonNull(in, "no fixture " + name).readAllBytes();
            return new String(text, US_ASCII).replaceAll("\\s", "");
        }
    }
}
