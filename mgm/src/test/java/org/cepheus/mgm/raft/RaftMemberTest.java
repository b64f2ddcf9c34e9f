package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    private record Extent(long from, int length) {
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
        return new Extent(from, at - from);
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
}
