package org.cepheus.protocol.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.command.CommandCodec;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.DownloadService.Download;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ControlCodecTest {
    static final List<Download> DOWNLOADS =
            List.of(
                    new Download(
                            3,
                            1,
                            FsPath.parse("/a/b"),
                            "ana",
                            "::1",
                            Instant.ofEpochSecond(9, 7),
                            1L << 40,
                            12,
                            "ab"),
                    new Download(3, 4L << 40, FsPath.parse("/c"), "", "", Instant.EPOCH, 0, 0, ""));
    private static final Caller CALLER =
            new Caller(new Identity("ana", List.of("atlas"), false), "::1", new TraceId(7));
    private static final FsPath PATH = FsPath.parse("/a/b");
    private static final LeaseRef LEASE = new LeaseRef(1, "b", 9, 11);
    private static final Hello HELLO =
            new Hello(
                    new UUID(1, 2),
                    77,
                    new FstAddress(3, "localhost", 1095, 8081),
                    List.of(new FleetCommand.Volume(1, "v")));
    private static final FileStatus STATUS =
            new FileStatus(
                    FileKind.FILE,
                    5,
                    6,
                    7,
                    0644,
                    "ana",
                    "atlas",
                    Instant.ofEpochSecond(1),
                    Instant.ofEpochSecond(2),
                    Instant.ofEpochSecond(3),
                    List.of(Checksum.of(ChecksumType.ADLER32, 1)),
                    false,
                    new AccessBits(true, false, false));
    private static final Bytes BYTES = Bytes.copyOf(new byte[] {1, 2, 3});

    static Stream<ControlMessage> messages() {
        return Stream.of(
                new ControlMessage.Greet(1, 2, HELLO, BYTES),
                new ControlMessage.Prove(BYTES),
                new ControlMessage.Beat(
                        new Heartbeat(
                                List.of(new Heartbeat.VolumeLoad(1, 10, 5, "disk" + 1, true)), 3)),
                new ControlMessage.Renew(List.of(LEASE)),
                new ControlMessage.Extend(CALLER, LEASE, 1 << 20),
                new ControlMessage.Commit(
                        CALLER,
                        new LeaseCommand.Commit(
                                LEASE,
                                5,
                                List.of(Checksum.of(ChecksumType.CRC32C, 5)),
                                Optional.of(Instant.ofEpochSecond(9)))),
                new ControlMessage.Abort(CALLER, LEASE, "client went away"),
                new ControlMessage.Stat(CALLER, PATH),
                new ControlMessage.ListEntries(CALLER, PATH, "c", 100),
                new ControlMessage.GetAttributes(CALLER, PATH),
                new ControlMessage.GetSpace(CALLER, PATH),
                new ControlMessage.Open(
                        CALLER,
                        new OpenRequest(
                                PATH,
                                Optional.of(LeaseCommand.Intent.REPLACE),
                                true,
                                0640,
                                OptionalLong.of(99),
                                OptionalInt.of(3),
                                List.of(1),
                                List.of("h"))),
                new ControlMessage.Open(CALLER, OpenRequest.reading(PATH)),
                new ControlMessage.Change(
                        CALLER, Bytes.copyOf(CommandCodec.encode(new Mutation.RemoveFile(PATH)))),
                new ControlMessage.Delete(1, List.of(4L, 5L)),
                new ControlMessage.Failed(new FsError.NotFound("no /a/b")),
                new ControlMessage.Done(),
                new ControlMessage.Challenge(1, BYTES, BYTES, -5),
                new ControlMessage.Accepted(
                        new HelloAccepted(
                                new UUID(1, 2), 0, new MgmAddress("m", 1094, 8080, 9080, 9095))),
                new ControlMessage.Amount(1 << 30),
                new ControlMessage.Status(STATUS),
                new ControlMessage.Page(
                        new DirectoryPage(
                                List.of(new DirectoryPage.Entry("b", STATUS)), Optional.of("b"))),
                new ControlMessage.Attributes(Map.of("user.a", BYTES)),
                new ControlMessage.Space(
                        new SpaceReport(
                                100,
                                50,
                                List.of(
                                        new QuotaReport(
                                                PATH,
                                                QuotaKind.PROJECT,
                                                "",
                                                OptionalLong.of(1),
                                                OptionalLong.empty(),
                                                2,
                                                3,
                                                4,
                                                5)))),
                new ControlMessage.Granted(new Grant("t.1", HELLO.address(), Optional.of(STATUS))),
                new ControlMessage.Deleted(List.of(4L)),
                new ControlMessage.Measure(1, 4, 2),
                new ControlMessage.EndUpload(LEASE, "ended by ana"),
                new ControlMessage.ListReads(1_000),
                new ControlMessage.EndRead(4L << 40, "ended by ana"),
                new ControlMessage.Reads(new OpenReads(DOWNLOADS, 7)),
                new ControlMessage.Measured(new DataMeasure(5, Instant.ofEpochSecond(9))));
    }

    private static ControlMessage decode(byte[] frame) {
        var in = new ByteReader(frame);
        ControlCodec.Head head = ControlCodec.head(in);
        return head.isAnswer()
                ? ControlCodec.answer(head.type(), in)
                : ControlCodec.request(head.type(), in).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void comesBackAsItWasSent(ControlMessage message) {
        byte[] frame = ControlCodec.encode(12_345, message);

        var head = ControlCodec.head(new ByteReader(frame));
        assertThat(head.number()).isEqualTo(12_345);
        assertThat(head.isAnswer()).isEqualTo(message instanceof Answer);
        assertThat(decode(frame)).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void isRefusedOrShorterWhenCutAnywhere(ControlMessage message) {
        byte[] frame = ControlCodec.encode(1, message);

        for (int length = 0; length < frame.length; length++) {
            byte[] cut = Arrays.copyOf(frame, length);
            assertThatThrownBy(() -> decode(cut)).isInstanceOf(DecodeException.class);
        }
    }

    @Test
    void keepsItsBytes() {
        byte[] frame = ControlCodec.encode(3, new ControlMessage.Extend(CALLER, LEASE, 300));

        assertThat(HexFormat.of().formatHex(frame))
                .isEqualTo(
                        "060503"
                                + "1803616e6100010561746c6173033a3a310000000000000007"
                                + "051a00000000000000010000000000000009000000000000000b016206ac02");
    }

    @Test
    void doesNotKnowTheRequestsOfANewerVersion() {
        assertThat(ControlCodec.request(63, new ByteReader(new byte[0]))).isEmpty();
    }
}
