package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.FuzzRun;
import org.cepheus.domain.fuzz.Mutator;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/**
 * Makes inputs of recorded sessions: damages requests one by one, mostly so that the next one is
 * still found, and sometimes the stream of bytes as such.
 */
final class FrameMutator implements FuzzRun.Source {
    private static final List<String> WORDS =
            List.of(
                    "?",
                    "&",
                    "\0",
                    "\n",
                    " ",
                    "//",
                    "/../",
                    "/./",
                    "%2e%2e/",
                    "\u00c0\u00ae",
                    "?cph.tkt=",
                    "?cph.tkt=1.w.2f612e747874.",
                    "?cph.tkt=1.r.2f612e747874.",
                    "&oss.asize=-1",
                    "?oss.asize=9223372036854775807",
                    "?tried=a,b,+c&triedrc=enoent,ioerr",
                    "?cks.type=crc32c",
                    "?tpc.stage=copy",
                    "*",
                    "/missing",
                    "/a.txt");

    private static final int FIRST_UNTOUCHED = 3;

    private final List<List<byte[]>> sessions = new ArrayList<>();
    private final Mutator mutator = new Mutator(WORDS);

    FrameMutator(Corpus corpus) {
        corpus.captures().forEach(capture -> sessions.add(frames(capture.bytes())));
    }

    /** The handshake and the requests of a sound session, each with its data. */
    static List<byte[]> frames(byte[] session) {
        var frames = new ArrayList<byte[]>();
        int end = Math.min(session.length, FrameReader.HANDSHAKE_BYTES);
        frames.add(Arrays.copyOf(session, end));
        for (int at = end; at < session.length; at = end) {
            int length =
                    session.length - at < RequestCodec.HEADER_BYTES
                            ? session.length - at
                            : RequestCodec.HEADER_BYTES + ByteBuffer.wrap(session).getInt(at + 20);
            end = Math.min(session.length, at + length);
            frames.add(Arrays.copyOfRange(session, at, end));
        }
        return frames;
    }

    @Override
    public byte[] next(RandomGenerator random) {
        List<byte[]> session = sessions.get(random.nextInt(sessions.size()));
        List<byte[]> other = sessions.get(random.nextInt(sessions.size()));
        var frames = new ArrayList<>(session);
        if (random.nextInt(4) == 0) {
            frames.add(readMany(random));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            change(frames, other, random);
        }
        var bytes = new ByteArrayOutputStream();
        frames.forEach(bytes::writeBytes);
        byte[] all = bytes.toByteArray();
        boolean bytesToo = random.nextInt(4) == 0;
        return bytesToo || all.length > Mutator.MAX_INPUT_BYTES
                ? mutator.mutate(all, other.getLast(), random)
                : all;
    }

    /** Real command line clients send none. */
    private static byte[] readMany(RandomGenerator random) {
        var segments = new ArrayList<XrootdRequest.ReadMany.Segment>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            segments.add(
                    new XrootdRequest.ReadMany.Segment(
                            random.nextInt(2), random.nextInt(9000), random.nextInt(21_000)));
        }
        return RawConnection.bytes(7, new XrootdRequest.ReadMany(0, segments));
    }

    private void change(List<byte[]> frames, List<byte[]> other, RandomGenerator random) {
        // Without its handshake and login a session seldom gets anywhere.
        int first = random.nextInt(8) == 0 ? 0 : Math.min(FIRST_UNTOUCHED, frames.size() - 1);
        int at = first + random.nextInt(frames.size() - first);
        byte[] frame = frames.get(at);
        switch (random.nextInt(10)) {
            case 0 -> frames.remove(at);
            case 1 -> frames.add(at, frame);
            case 2 -> frames.add(frames.remove(at));
            case 3 -> frames.add(at, other.get(random.nextInt(other.size())));
            case 4 -> {
                for (int i = random.nextInt(random.nextInt(8) == 0 ? 1000 : 4); i > 0; i--) {
                    frames.add(at, frame);
                }
            }
            case 5 -> frames.set(at, withId(frame, random));
            case 6 -> frames.set(at, mutator.mutate(frame, frame, random));
            case 7 -> frames.set(at, withHeader(frame, random));
            default -> frames.set(at, withArgument(frame, other, random));
        }
        if (frames.isEmpty()) {
            frames.add(frame);
        }
    }

    private static byte[] withId(byte[] frame, RandomGenerator random) {
        if (frame.length < RequestCodec.HEADER_BYTES) {
            return frame;
        }
        byte[] out = frame.clone();
        ByteBuffer.wrap(out).putShort(2, (short) random.nextInt(2998, 3036));
        return out;
    }

    /** Other fields, the same length. */
    private byte[] withHeader(byte[] frame, RandomGenerator random) {
        if (frame.length < RequestCodec.HEADER_BYTES) {
            return frame;
        }
        byte[] fields = Arrays.copyOfRange(frame, 4, 20);
        byte[] changed = Arrays.copyOf(mutator.mutate(fields, fields, random), fields.length);
        byte[] out = frame.clone();
        System.arraycopy(changed, 0, out, 4, changed.length);
        return out;
    }

    /** Another argument, and a header that says how long it is. */
    private byte[] withArgument(byte[] frame, List<byte[]> other, RandomGenerator random) {
        if (frame.length < RequestCodec.HEADER_BYTES) {
            return frame;
        }
        byte[] argument = Arrays.copyOfRange(frame, RequestCodec.HEADER_BYTES, frame.length);
        byte[] changed = mutator.mutate(argument, other.get(random.nextInt(other.size())), random);
        ByteBuf out = Unpooled.buffer(RequestCodec.HEADER_BYTES + changed.length);
        out.writeBytes(frame, 0, 20).writeInt(changed.length).writeBytes(changed);
        return out.array();
    }
}
