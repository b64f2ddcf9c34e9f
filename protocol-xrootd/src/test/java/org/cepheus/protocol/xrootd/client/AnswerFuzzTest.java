package org.cepheus.protocol.xrootd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.FuzzRun;
import org.cepheus.domain.fuzz.Mutator;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that talks nonsense does a client of ours no harm. */
@Tag("fuzz")
class AnswerFuzzTest {
    private static final List<String> WORDS =
            List.of("?", "\0", " ", "\n", "1.r.2f612e747874.", "9223372036854775808", "-1", "0x10");

    @Test
    void aClientSurvivesDamagedAnswers() throws InterruptedException {
        Corpus corpus = Corpus.of(AnswerFuzzTest.class, ".server");
        var mutator = new Mutator(WORDS);
        new FuzzRun("XRootD client", 100_000)
                .run(random -> damaged(corpus, mutator, random), Client::new);
    }

    private static byte[] damaged(Corpus corpus, Mutator mutator, RandomGenerator random) {
        List<Corpus.Capture> captures = corpus.captures();
        byte[] sound = captures.get(random.nextInt(captures.size())).bytes();
        byte[] other = captures.get(random.nextInt(captures.size())).bytes();
        return mutator.mutate(sound, other, random);
    }

    /** Understands what it can, in pieces as they come. */
    private static final class Client implements FuzzRun.Target, AnswerReader.Listener {
        private static final int ROOM_BYTES = 16 * 1024;

        private final ByteBuffer room = ByteBuffer.allocate(ROOM_BYTES);
        private boolean wantsData;

        @Override
        public void take(byte[] input, RandomGenerator random) {
            room.clear();
            wantsData = random.nextBoolean();
            var reader = new AnswerReader(this);
            ByteBuf all = Unpooled.wrappedBuffer(input);
            boolean inPieces = random.nextInt(3) == 0;
            try {
                while (all.isReadable()) {
                    int most = all.readableBytes();
                    reader.read(all.readSlice(inPieces ? 1 + random.nextInt(most) : most));
                }
            } catch (FsException e) {
                // What a broken server deserves: the connection ends with a reason.
                assertThat(e.error().message()).isNotBlank();
            }
        }

        @Override
        public @Nullable ByteBuffer destination(int streamId) {
            return wantsData && streamId % 2 == 1 ? room : null;
        }

        @Override
        public void answer(int streamId, XrootdResponse response) {
            if (response instanceof XrootdResponse.Ok(Bytes body)) {
                tried(() -> ResponseCodec.opened(body));
                tried(() -> ResponseCodec.loggedIn(body));
                tried(() -> ResponseCodec.served(body));
            }
        }

        private static void tried(Runnable decoding) {
            try {
                decoding.run();
            } catch (FsException e) {
                assertThat(e.error().message()).isNotBlank();
            }
        }

        @Override
        public void data(int streamId, boolean isLast) {
            room.clear();
        }
    }
}
