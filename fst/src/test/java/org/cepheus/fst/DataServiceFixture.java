package org.cepheus.fst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.IoPool;
import org.cepheus.fst.volume.Volume;
import org.cepheus.fst.volume.VolumeFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A data service over a volume and an MGM that answers at once, and words for what it holds. */
abstract class DataServiceFixture {
    static final long ID = 4_711;

    final FakeLeases leases = new FakeLeases();
    Instant now = TestTickets.NOW;
    Volume volume;
    IoPool pool;
    FstDataService service;

    abstract Volume makeVolume();

    @BeforeEach
    void start() {
        volume = makeVolume();
        pool = new IoPool(1, 4);
        service =
                new FstDataService(
                        TestTickets.CLUSTER,
                        TestTickets.KEY,
                        Map.of(1, new MountedVolume(volume, pool)),
                        leases,
                        () -> now);
    }

    @AfterEach
    void stop() {
        pool.close();
        volume.close();
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new FsException(FsException.errorOf(e));
        }
    }

    static void assertRefused(ThrowingCallable call, Class<? extends FsError> kind, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> {
                            assertThat(e.error()).isInstanceOf(kind);
                            assertThat(e.error().message()).contains(text);
                        });
    }

    DataFile open(Ticket ticket) throws Exception {
        return get(service.open(TestTickets.sealed(ticket)));
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    static Checksum adler(byte[] bytes) {
        var adler = new Adler32();
        adler.update(bytes);
        return Checksum.of(ChecksumType.ADLER32, (int) adler.getValue());
    }

    static Checksum crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return Checksum.of(ChecksumType.CRC32C, (int) crc.getValue());
    }

    String stored(long dataId) {
        try (VolumeFile file = volume.open(new ContentId(dataId, 0), false)) {
            var buffer = ByteBuffer.allocate(1_000);
            file.read(0, buffer);
            return UTF_8.decode(buffer.flip()).toString();
        }
    }

    void assertNothingIsLeft(long dataId) {
        assertThatThrownBy(() -> stored(dataId)).isInstanceOf(FsException.class);
        assertThat(leases.commits).isEmpty();
        assertThat(leases.aborts).hasSize(1);
        assertThat(service.uploadCount()).isZero();
    }

    static Ticket writing() {
        return TestTickets.writing(ID, OptionalLong.empty(), 1 << 20);
    }

    static Ticket declaring(long size) {
        return TestTickets.writing(ID, OptionalLong.of(size), size);
    }

    void awaitGone() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!get(service.delete(1, List.of(ID))).contains(ID)) {
            assertThat(System.nanoTime()).as("never deleted").isLessThan(deadline);
        }
    }

    static List<Checksum> digests(String text) throws Exception {
        return List.of(
                digest(ChecksumType.MD5, "MD5", text),
                digest(ChecksumType.SHA256, "SHA-256", text));
    }

    private static Checksum digest(ChecksumType type, String algorithm, String text)
            throws Exception {
        byte[] sum = MessageDigest.getInstance(algorithm).digest(text.getBytes(UTF_8));
        return new Checksum(type, HexFormat.of().formatHex(sum));
    }

    /** Commits a content as {@link #ID}. */
    void store(byte[] content) throws Exception {
        DataFile file = open(declaring(content.length));
        get(file.write(0, ByteBuffer.wrap(content)));
        get(file.commit(List.of()));
    }
}
