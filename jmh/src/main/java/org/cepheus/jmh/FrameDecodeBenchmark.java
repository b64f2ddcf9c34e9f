package org.cepheus.jmh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Bytes of requests to what they mean: XRootD stat, open and pgread, and an HTTP GET. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameDecodeBenchmark {
    private static final String PATH = "/atlas/data/run1/raw/data.00000001.root";
    private static final String GET =
            "GET %s HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n"
                    .formatted(PATH);

    private final ByteBuf stat = frame(new XrootdRequest.Stat(0, 0, PATH));
    private final ByteBuf open =
            frame(new XrootdRequest.Open(0644, 0x46a, 0, PATH + "?oss.asize=1048576"));
    private final ByteBuf pageRead = frame(new XrootdRequest.PageRead(1, 1 << 20, 8 << 20, 0, 0));
    private final ByteBuf get = Unpooled.copiedBuffer(GET, StandardCharsets.US_ASCII);
    private final EmbeddedChannel http = new EmbeddedChannel(new HttpRequestDecoder());

    private static ByteBuf frame(XrootdRequest request) {
        ByteBuf out = Unpooled.directBuffer();
        RequestCodec.encode(1, request, out);
        return out;
    }

    @Benchmark
    public XrootdRequest xrootdStat() {
        return RequestCodec.decode(stat, 0, stat.readableBytes());
    }

    @Benchmark
    public XrootdRequest xrootdOpen() {
        return RequestCodec.decode(open, 0, open.readableBytes());
    }

    @Benchmark
    public XrootdRequest xrootdPageRead() {
        return RequestCodec.decode(pageRead, 0, pageRead.readableBytes());
    }

    @Benchmark
    public int httpGet() {
        http.writeInbound(get.retainedDuplicate());
        int messages = 0;
        for (Object message = http.readInbound(); message != null; message = http.readInbound()) {
            ReferenceCountUtil.release(message);
            messages++;
        }
        return messages;
    }
}
