package org.cepheus.mgm.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Group.Member;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One member alone: what survives a restart, a crash and a damaged log. */
final class RaftMemberTest {
    @TempDir private Path directory;

    @Test
    void aStoppedMemberHasEverythingAgain() throws Exception {
        Group group = Group.alone(directory.resolve("a"));
        try (Member member = group.start(0)) {
            assertThat(member.make("/x")).isEqualTo(new Reply.Extended(1));
            assertThat(member.make("/x")).isEqualTo(new Reply.Extended(2));
        }

        try (Member member = group.start(0)) {
            member.awaitLeading();
            assertThat(member.lines()).containsExactly("/x 2");
            assertThat(member.make("/x")).isEqualTo(new Reply.Extended(3));
        }
    }

    /** Ratis' retry cache, refilled from the log, would answer with an old reply. */
    @Test
    void aNewProcessNeverGetsTheRepliesOfTheOldOne() throws Exception {
        Group group = Group.alone(directory.resolve("a"));
        for (int start = 0; start < 3; start++) {
            try (Member member = group.start(0)) {
                for (int i = 0; i < 5; i++) {
                    assertThat(member.make("/x")).isEqualTo(new Reply.Extended(start * 5 + i + 1));
                }
            }
        }
    }

    @Test
    void aKilledMemberHasEverythingThatWasAcknowledgedExactlyOnce() throws Exception {
        Group group = Group.alone(directory.resolve("a"));
        Path image = directory.resolve("b");
        try (Member member = group.start(0)) {
            for (int i = 0; i < 200; i++) {
                member.make("/f" + i % 10);
                if (i == 100) {
                    member.flush();
                }
            }
            Group.copy(directory.resolve("a"), image);
        }

        try (Member member = Group.alone(image).start(0)) {
            member.awaitLeading();

            assertThat(member.lines()).hasSize(10).allMatch(line -> line.endsWith(" 20"));
        }
    }

    @Test
    void purgesTheLogUpToWhatIsFlushed() throws Exception {
        Group group = Group.alone(directory.resolve("a"));
        try (Member member = group.start(0)) {
            member.make("/x");
            member.flush();
            long flushed = member.state().persisted().index();
            assertThat(flushed).isEqualTo(member.state().last().index());

            member.make("/x");
            assertThat(member.state().persisted().index()).isEqualTo(flushed);
        }

        try (Member member = group.start(0)) {
            assertThat(member.make("/x")).isEqualTo(new Reply.Extended(3));
        }
    }

    @Test
    void readsSeeWhatWasAcknowledged() throws Exception {
        try (Member member = Group.alone(directory.resolve("a")).start(0)) {
            member.make("/x");

            assertThat(member.raft().gate().read(member::lines).get(10, TimeUnit.SECONDS))
                    .containsExactly("/x 1");
        }
    }

    @Test
    void aTornLastEntryIsCutAndTheRestIsThere() throws Exception {
        Path whole = logWithThreeEntries();
        Extent last = lastEntry(whole);
        for (long at : offsets(last)) {
            for (boolean zeroed : List.of(true, false)) {
                Path image = damaged(whole, at, zeroed);

                try (Member member = Group.alone(image).start(0)) {
                    member.awaitLeading();
                    assertThat(member.lines())
                            .as("%s at %d of %s", zeroed ? "zeros" : "cut", at, last)
                            .containsExactly("/a 1", "/b 1");
                    assertThat(member.make("/c")).isEqualTo(new Reply.Extended(1));
                }
            }
        }
    }

    @Test
    void aTornTailIsTornAtEveryByte() throws Exception {
        Path whole = logWithThreeEntries();
        Extent last = lastEntry(whole);
        byte[] bytes = last.bytes();

        for (int length = 1; length < bytes.length; length++) {
            byte[] torn = withoutZeros(Arrays.copyOf(bytes, length));
            assertThat(TornTail.isTorn(torn, torn.length, 1 << 22))
                    .as("first %d bytes", length)
                    .isTrue();
        }
    }

    @Test
    void aFlippedByteIsNeverTakenForATornWrite() throws Exception {
        Path whole = logWithThreeEntries();
        byte[] bytes = lastEntry(whole).bytes();

        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                byte[] flipped = bytes.clone();
                flipped[at] ^= (byte) bit;
                byte[] seen = withoutZeros(flipped);
                assertThat(TornTail.isTorn(seen, seen.length, 1 << 22))
                        .as("bit %d of byte %d", bit, at)
                        .isFalse();
            }
        }
    }

    /** A length that became longer must not make one torn entry of all that follow it. */
    @Test
    void aFlippedByteBeforeOtherEntriesIsNeverTakenForATornWrite() throws Exception {
        byte[] file = Files.readAllBytes(segment(logWithThreeEntries()));
        byte[] entries = withoutZeros(Arrays.copyOfRange(file, 8, file.length));

        for (int at = 0; at < 16; at++) {
            for (int bit = 1; bit < 256; bit <<= 1) {
                byte[] flipped = entries.clone();
                flipped[at] ^= (byte) bit;
                assertThat(TornTail.isTorn(flipped, flipped.length, 1 << 22))
                        .as("bit %d of byte %d", bit, at)
                        .isFalse();
            }
        }
    }

    @Test
    void damageBeforeOtherEntriesIsNeverTakenForATornWriteWhateverLengthItSays() throws Exception {
        byte[] file = Files.readAllBytes(segment(logWithThreeEntries()));
        byte[] entries = withoutZeros(Arrays.copyOfRange(file, 8, file.length));

        for (int bytes = 2; bytes <= 5; bytes++) {
            for (int last = 1; last < 0x80; last++) {
                byte[] damaged = entries.clone();
                Arrays.fill(damaged, 0, bytes, (byte) 0xff);
                damaged[bytes - 1] = (byte) last;
                assertThat(TornTail.isTorn(damaged, damaged.length, Integer.MAX_VALUE))
                        .as("a length of %d bytes that ends with %d", bytes, last)
                        .isFalse();
            }
        }
    }

    @Test
    void aTornEntryIsTornEvenIfItCarriesWhatLooksLikeAnEntry() throws Exception {
        byte[] stored = lastEntry(logWithThreeEntries()).bytes();
        var torn = ByteBuffer.allocate(2 + stored.length + 9);
        torn.put((byte) 0x90).put((byte) 0x4e).put(stored).put("and so on".getBytes(UTF_8));

        assertThat(TornTail.isTorn(torn.array(), torn.capacity(), 1 << 22)).isTrue();
    }

    @Test
    void aFlippedByteRefusesToStartAndNamesTheRepair() throws Exception {
        Path whole = logWithThreeEntries();
        Extent last = lastEntry(whole);
        Path image = directory.resolve("flipped");
        Group.copy(whole, image);
        try (var file = new RandomAccessFile(segment(image).toFile(), "rw")) {
            long middle = last.from() + last.length() / 2;
            file.seek(middle);
            int was = file.read();
            file.seek(middle);
            file.write(was ^ 1);
        }

        assertThatThrownBy(() -> Group.alone(image).start(0))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("truncate -s " + last.from());
        assertThat(Files.size(segment(image))).isGreaterThan(last.from() + last.length() - 1);
    }

    /** Where an entry lies in the open segment. */
    private record Extent(long from, int length, Bytes content) {
        byte[] bytes() {
            return content.toArray();
        }

        @Override
        public String toString() {
            return from + "+" + length;
        }
    }

    private Path logWithThreeEntries() throws Exception {
        Path running = directory.resolve("running");
        Path image = directory.resolve("whole");
        try (Member member = Group.alone(running).start(0)) {
            member.make("/a");
            member.make("/b");
            member.make("/c");
            Group.copy(running, image);
        }
        return image;
    }

    private static Path segment(Path image) throws IOException {
        try (var files = Files.walk(image)) {
            return files.filter(f -> f.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Extent lastEntry(Path image) throws IOException {
        byte[] file = Files.readAllBytes(segment(image));
        int at = 8;
        int from = at;
        while (at < file.length && file[at] != 0) {
            from = at;
            int length = 0;
            int shift = 0;
            do {
                length |= (file[at] & 0x7f) << shift;
                shift += 7;
            } while ((file[at++] & 0x80) != 0);
            at += length + 4;
        }
        return new Extent(from, at - from, Bytes.copyOf(Arrays.copyOfRange(file, from, at)));
    }

    private static List<Long> offsets(Extent last) {
        var offsets = new ArrayList<Long>();
        for (int i : new int[] {1, 2, 40, last.length() / 2, last.length() - 4}) {
            offsets.add(last.from() + i);
        }
        return offsets;
    }

    private Path damaged(Path whole, long at, boolean zeroed) throws IOException {
        Path image = directory.resolve("damaged-" + at + "-" + zeroed);
        Group.copy(whole, image);
        try (var file = new RandomAccessFile(segment(image).toFile(), "rw")) {
            long length = file.length();
            file.setLength(at);
            if (zeroed) {
                file.setLength(length);
            }
        }
        return image;
    }

    private static byte[] withoutZeros(byte[] bytes) {
        int length = bytes.length;
        while (length > 1 && bytes[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }
}
