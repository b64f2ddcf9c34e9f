package org.cepheus.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.DecodeException;
import org.junit.jupiter.api.Test;

/** Commands and entries as bytes: back as they were, or a clean refusal. */
class CommandCodecTest {
    private static final int SEEDS = 1_000;

    @Test
    void everyCommandComesBackAsItWas() {
        for (long seed = 0; seed < SEEDS; seed++) {
            for (Command command : new RandomCommands(seed).oneOfEach()) {
                assertThat(CommandCodec.decode(CommandCodec.encode(command)))
                        .as("seed %d", seed)
                        .isEqualTo(command);
            }
        }
    }

    @Test
    void everyEntryComesBackAsItWas() {
        for (long seed = 0; seed < SEEDS; seed++) {
            LogEntry entry = new RandomCommands(seed).entry();

            assertThat(LogEntry.decode(entry.encode())).as("seed %d", seed).isEqualTo(entry);
        }
    }

    @Test
    void anEntryCutAtAnyByteIsRefused() {
        byte[] bytes = everything().encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);

            assertThatThrownBy(() -> LogEntry.decode(cut))
                    .as("cut at %d of %d", length, bytes.length)
                    .isInstanceOf(DecodeException.class);
        }
    }

    @Test
    void bytesBehindAnEntryAreRefused() {
        byte[] bytes = everything().encode();

        assertThatThrownBy(() -> LogEntry.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("1 bytes too many");
    }

    @Test
    void anEntryWithFlippedBytesIsAnEntryOrACleanRefusal() {
        byte[] bytes = everything().encode();
        var random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] flipped = bytes.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                LogEntry.decode(flipped);
            } catch (DecodeException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }

    @Test
    void unknownTypesVersionsAndFieldsStopTheReader() {
        byte[] known = CommandCodec.encode(new FleetCommand.ExpireLeases(3));
        byte[] type = known.clone();
        type[0] = 99;
        byte[] version = known.clone();
        version[1] = 2;
        byte[] field = Arrays.copyOf(known, known.length + 2);
        field[known.length] = 30 << 1;

        assertThatThrownBy(() -> CommandCodec.decode(type)).isInstanceOf(DecodeException.class);
        assertThatThrownBy(() -> CommandCodec.decode(version)).isInstanceOf(DecodeException.class);
        assertThatThrownBy(() -> CommandCodec.decode(field)).isInstanceOf(DecodeException.class);
    }

    @Test
    void nothingIsEncodedThatCouldNotBeDecoded() {
        var numbers = IntStream.rangeClosed(0, FleetCommand.MAX_LIST).mapToObj(i -> 1L * i);

        assertThatThrownBy(() -> new FleetCommand.CollectGarbage(1, numbers.toList()))
                .isInstanceOf(FsException.class);
        assertThatThrownBy(() -> new FleetCommand.Volume(-1, "uuid"))
                .isInstanceOf(FsException.class);
        assertThatThrownBy(() -> new LeaseCommand.Placement(-1, 1, 1))
                .isInstanceOf(FsException.class);
        assertThatThrownBy(() -> new LeaseCommand.Placement(1, -1, 1))
                .isInstanceOf(FsException.class);
    }

    private static LogEntry everything() {
        List<LogEntry.Item> items =
                new RandomCommands(42)
                        .oneOfEach().stream()
                                .map(command -> new LogEntry.Item(Caller.SYSTEM, command))
                                .toList();
        return new LogEntry(
                new UUID(1, 2),
                new LogEntry.BatchId(3, 4),
                5,
                6,
                LogEntry.FEATURE_LEVEL,
                java.util.Optional.of(new LogEntry.ChainCheck(7, 8)),
                items);
    }
}
