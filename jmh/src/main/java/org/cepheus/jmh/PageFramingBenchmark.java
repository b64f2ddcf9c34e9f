package org.cepheus.jmh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.cepheus.fst.volume.ContentId;
import org.cepheus.fst.volume.PosixVolume;
import org.cepheus.fst.volume.VolumeFile;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The bytes of a pgread: 512 KiB from a file in memory, framed in pages with their checksums, sent
 * over loopback to somebody who throws them away. The variants differ in where the checksums get
 * between the pages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PageFramingBenchmark {
    private static final int PIECE = 512 * 1024;
    private static final int PAGES = PIECE / PageLayout.PAGE_BYTES;
    private static final int FILE_BYTES = 64 * PIECE;

    private final ByteBuffer plain = ByteBuffer.allocateDirect(PIECE);
    private final ByteBuffer framed = ByteBuffer.allocateDirect(PAGES * PageLayout.UNIT_BYTES);
    private final ByteBuffer checksums = ByteBuffer.allocateDirect(PAGES * 4);
    private final CRC32C crc = new CRC32C();
    private final Wire wire = Wire.open();
    private long offset;

    /** A data file in memory, and a connection whose other end reads and forgets. */
    private record Wire(Path directory, PosixVolume volume, VolumeFile file, SocketChannel out) {
        static Wire open() {
            try {
                return start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Wire start() throws IOException {
            Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "cepheus-pages-");
            var volume = PosixVolume.open(1, directory, Workload.CLUSTER, true);
            VolumeFile file = volume.create(new ContentId(1, 0));
            ByteBuffer data = ByteBuffer.allocateDirect(FILE_BYTES);
            while (data.hasRemaining()) {
                data.putInt(data.position() * 0x9E3779B9);
            }
            file.write(0, data.flip());
            return new Wire(directory, volume, file, connected());
        }

        private static SocketChannel connected() throws IOException {
            var server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel out = SocketChannel.open(server.getLocalAddress());
            SocketChannel in = server.accept();
            server.close();
            Thread.ofPlatform().daemon().start(() -> forget(in));
            return out;
        }

        private static void forget(SocketChannel in) {
            ByteBuffer bin = ByteBuffer.allocateDirect(1 << 20);
            try (in) {
                while (in.read(bin) >= 0) {
                    bin.clear();
                }
            } catch (AsynchronousCloseException ended) {
                Thread.currentThread().interrupt();
            } catch (IOException broken) {
                throw new IllegalStateException("the benchmark's reader broke", broken);
            }
        }

        void send(ByteBuffer... buffers) throws IOException {
            long left = 0;
            for (ByteBuffer buffer : buffers) {
                left += buffer.remaining();
            }
            while (left > 0) {
                left -= out.write(buffers);
            }
        }

        void close() throws IOException {
            out.close();
            file.close();
            volume.delete(1);
            volume.close();
            try (var files = Files.walk(directory)) {
                for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    @TearDown
    public void close() throws IOException {
        wire.close();
    }

    private long nextOffset() {
        offset = (offset + PIECE) % FILE_BYTES;
        return offset;
    }

    /** Storage fills the pages in place, leaving gaps for the checksums: no copy, one buffer. */
    @Benchmark
    public void gaps() throws IOException {
        var views = new ByteBuffer[PAGES];
        for (int i = 0; i < PAGES; i++) {
            views[i] = framed.slice(i * PageLayout.UNIT_BYTES + 4, PageLayout.PAGE_BYTES);
        }
        wire.file().read(nextOffset(), views);
        for (int i = 0; i < PAGES; i++) {
            int at = i * PageLayout.UNIT_BYTES;
            framed.putInt(at, checksum(framed, at + 4));
        }
        wire.send(framed.clear());
    }

    /** One contiguous read, then a copy into the frame. */
    @Benchmark
    public void copied() throws IOException {
        wire.file().read(nextOffset(), plain.clear());
        framed.clear();
        for (int i = 0; i < PAGES; i++) {
            int at = i * PageLayout.PAGE_BYTES;
            framed.putInt(checksum(plain, at));
            framed.put(framed.position(), plain, at, PageLayout.PAGE_BYTES);
            framed.position(framed.position() + PageLayout.PAGE_BYTES);
        }
        wire.send(framed.flip());
    }

    /** One contiguous read and one list of pieces for the socket: useless under TLS. */
    @Benchmark
    public void gathered() throws IOException {
        wire.file().read(nextOffset(), plain.clear());
        var pieces = new ByteBuffer[2 * PAGES];
        for (int i = 0; i < PAGES; i++) {
            int at = i * PageLayout.PAGE_BYTES;
            checksums.putInt(i * 4, checksum(plain, at));
            pieces[2 * i] = checksums.slice(i * 4, 4);
            pieces[2 * i + 1] = plain.slice(at, PageLayout.PAGE_BYTES);
        }
        wire.send(pieces);
    }

    /** What a plain read costs: no checksums. */
    @Benchmark
    public void plainRead() throws IOException {
        wire.file().read(nextOffset(), plain.clear());
        wire.send(plain.clear());
    }

    private int checksum(ByteBuffer in, int at) {
        crc.reset();
        crc.update(in.slice(at, PageLayout.PAGE_BYTES));
        return (int) crc.getValue();
    }
}
