package org.cepheus.mgm.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.cepheus.mgm.raft.LogFiles.Place;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may be cut off a log, byte for byte, of entries that Ratis' own writer has written. */
final class TornWriteTest {
    private static final int ENTRIES = 3;

    @TempDir private Path directory;
    private byte[] threeEntries = {};
    private byte[] lastEntry = {};

    @BeforeEach
    void writeThreeEntries() throws IOException {
        try (var log = LogFiles.open(directory, -1, ENTRIES)) {
            for (int index = 0; index < ENTRIES; index++) {
                log.append(entry(index));
            }
            Place first = log.place(0);
            Place last = log.place(ENTRIES - 1);
            int from = Math.toIntExact(first.from());
            int lastFrom = Math.toIntExact(last.from());
            byte[] file = Files.readAllBytes(last.segment());
            threeEntries = Arrays.copyOfRange(file, from, lastFrom + last.bytes());
            lastEntry = Arrays.copyOfRange(file, lastFrom, lastFrom + last.bytes());
        }
    }

    private static LogEntryProto entry(int index) {
        var data = ByteString.copyFromUtf8("what entry %d says, ".formatted(index).repeat(10));
        return LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(data))
                .build();
    }

    @Test
    void aTornTailIsTornAtEveryByte() {
        for (int length = 1; length < lastEntry.length; length++) {
            byte[] torn = withoutZeros(Arrays.copyOf(lastEntry, length));
            assertThat(TornWrite.explains(torn, torn.length, 1 << 22))
                    .as("first %d bytes", length)
                    .isTrue();
        }
    }

    @Test
    void aFlippedByteIsNeverTakenForATornWrite() {
        for (int at = 0; at < lastEntry.length; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                byte[] flipped = lastEntry.clone();
                flipped[at] ^= (byte) bit;
                byte[] seen = withoutZeros(flipped);
                assertThat(TornWrite.explains(seen, seen.length, 1 << 22))
                        .as("bit %d of byte %d", bit, at)
                        .isFalse();
            }
        }
    }

    /** A length that became longer must not make one torn entry of all that follow it. */
    @Test
    void aFlippedByteBeforeOtherEntriesIsNeverTakenForATornWrite() {
        for (int at = 0; at < 16; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                byte[] flipped = threeEntries.clone();
                flipped[at] ^= (byte) bit;
                assertThat(TornWrite.explains(flipped, flipped.length, 1 << 22))
                        .as("bit %d of byte %d", bit, at)
                        .isFalse();
            }
        }
    }

    @Test
    void damageBeforeOtherEntriesIsNeverTakenForATornWriteWhateverLengthItSays() {
        for (int bytes = 2; bytes <= 5; bytes++) {
            for (int last = 1; last < 0x80; last++) {
                byte[] damaged = threeEntries.clone();
                Arrays.fill(damaged, 0, bytes, (byte) 0xff);
                damaged[bytes - 1] = (byte) last;
                assertThat(TornWrite.explains(damaged, damaged.length, Integer.MAX_VALUE))
                        .as("a length of %d bytes that ends with %d", bytes, last)
                        .isFalse();
            }
        }
    }

    @Test
    void aTornEntryIsTornEvenIfItCarriesWhatLooksLikeAnEntry() {
        var torn = ByteBuffer.allocate(2 + lastEntry.length + 9);
        torn.put((byte) 0x90).put((byte) 0x4e).put(lastEntry).put("and so on".getBytes(UTF_8));

        assertThat(TornWrite.explains(torn.array(), torn.capacity(), 1 << 22)).isTrue();
    }

    private static byte[] withoutZeros(byte[] bytes) {
        int length = bytes.length;
        while (length > 1 && bytes[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }
}
