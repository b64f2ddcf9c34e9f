package org.cepheus.namespace.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.quota.QuotaRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows as this and older versions wrote them: key and value in hex. Stores on disk hold them. */
class OldRowsTest {
    private static final LeaseRef LEASE = new LeaseRef(17, "büro", 4711, 4712);

    /** A row and what it is called. */
    record Row<K, V>(String name, Table<K, V> table, K key, V value) {
        String hex() {
            HexFormat hex = HexFormat.of();
            return hex.formatHex(table.keyBytes(key))
                    + " "
                    + hex.formatHex(table.valueBytes(value));
        }

        /** Where its bytes are kept, by the version that is their first byte. */
        String fixture() {
            return name + "-" + table.valueBytes(value)[0];
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Row<?, ?>> rows() {
        var key = new Rows.EntryKey(17, "büro");
        return List.of(
                new Row<>("directory-link", Tables.ENTRIES, key, new Entry.DirectoryLink(99)),
                new Row<>("symlink", Tables.ENTRIES, key, new Entry.Symlink(98, "/a", 2, 3, 44)),
                new Row<>("file", Tables.ENTRIES, key, file()),
                new Row<>(
                        "directory",
                        Tables.DIRECTORIES,
                        17L,
                        new Rows.Directory(17, 1, 02775, 16, 17, 0, 100, 200, 300, 5, 6, 1, "", 7)),
                new Row<>("place", Tables.PLACES, 4712L, new Rows.Place(17, "büro")),
                new Row<>(
                        "quota",
                        Tables.QUOTAS,
                        new Rows.QuotaKey(17, QuotaKind.USER, 16),
                        new QuotaRow(new QuotaLimits(1L << 40, -1, 1L << 39, -2), 2, 3, 4, -5)),
                new Row<>("count", Tables.COUNTS, 17L, new Rows.Count(4713, 1_790_000_000L, 5)),
                new Row<>("lease", Tables.LEASES, LEASE, lease()),
                new Row<>(
                        "garbage",
                        Tables.GARBAGE,
                        new Rows.GarbageKey(3, 4711),
                        new Rows.Garbage(4712, 5, "removed")),
                new Row<>(
                        "principal-id",
                        Tables.PRINCIPAL_IDS,
                        new Rows.PrincipalName(QuotaKind.USER, "alice"),
                        new Rows.PrincipalId(QuotaKind.USER, 16)),
                new Row<>(
                        "principal-name",
                        Tables.PRINCIPAL_NAMES,
                        new Rows.PrincipalId(QuotaKind.GROUP, 17),
                        new Rows.PrincipalName(QuotaKind.GROUP, "atlas")),
                new Row<>(
                        "fst",
                        Tables.FSTS,
                        2,
                        new Rows.Fst(
                                new FstAddress(2, "fst2.example.org", 1095, 8081),
                                -77,
                                5,
                                List.of(new FleetCommand.Volume(3, "9a1b3c5d")))),
                new Row<>(
                        "attribute",
                        Tables.ATTRIBUTES,
                        new Rows.AttributeKey(4712, "user.a"),
                        Bytes.copyOf(new byte[] {0, -1})),
                new Row<>("content", Tables.CONTENTS, 4711L, 4712L),
                new Row<>(
                        "states",
                        OperatorTables.STATES,
                        OperatorTables.ALL_STATES,
                        Rows.FleetStates.NONE
                                .with(ServiceTarget.fst(2), ServiceState.OFF)
                                .with(ServiceTarget.volume(7), ServiceState.DRAIN)
                                .with(ServiceTarget.volume(3), ServiceState.RO)),
                new Row<>(
                        "once-reply",
                        OperatorTables.ONCE_REPLIES,
                        "key-1",
                        new Rows.OnceReply(Bytes.copyOf(new byte[] {0, -1}), Optional.empty())),
                new Row<>("once-slot", OperatorTables.ONCE_SLOTS, 7L, "key-1"),
                new Row<>("once-count", OperatorTables.ONCE_COUNTS, OperatorTables.ALL_KEYS, 300L),
                new Row<>(
                        "unsettled",
                        Tables.UNSETTLED,
                        4712L,
                        new Rows.Unsettled(3, 4711, 2, 77, 1_790_000_000L)),
                new Row<>(
                        "head",
                        Tables.HEADS,
                        Tables.HEAD,
                        new Rows.Head(
                                new UUID(1, 2), 1, 0, 7, 99, 5000, 20, 3, 1_790_000_000L, 5, -6)));
    }

    private static Entry.File file() {
        return new Entry.File(
                4712,
                4711,
                1L << 32,
                0644,
                16,
                17,
                100,
                200,
                300,
                List.of(Checksum.of(ChecksumType.ADLER32, 0x03da0195)),
                List.of(new Location(3, 4711)),
                0,
                Entry.File.HAS_ATTRIBUTES,
                0,
                0);
    }

    private static Rows.Lease lease() {
        var alice = new Identity("alice", List.of("atlas"), false);
        return new Rows.Lease(
                LEASE,
                Intent.REPLACE,
                3,
                4711,
                0644,
                16,
                17,
                OptionalLong.of(1L << 32),
                1L << 32,
                1,
                2,
                -77,
                true,
                123,
                456,
                new Caller(alice, "[2001:db8::1]:40000", new TraceId(0xfeedL)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    <K, V> void rowsOfThisVersionDecodeForEver(Row<K, V> row) throws IOException {
        String[] old = fixture(row.fixture()).split(" ", -1);

        assertThat(row.table().value(HexFormat.of().parseHex(old[1]))).isEqualTo(row.value());
        assertThat(HexFormat.of().formatHex(row.table().keyBytes(row.key()))).isEqualTo(old[0]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void thisVersionWritesTheSameBytes(Row<?, ?> row) throws IOException {
        assertThat(row.hex()).isEqualTo(fixture(row.fixture()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    <K, V> void aRowOfAnotherVersionStopsTheReader(Row<K, V> row) {
        byte[] newer = row.table().valueBytes(row.value());
        newer[0]++;

        assertThatThrownBy(() -> row.table().value(newer)).isInstanceOf(DecodeException.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    <K, V> void aRowCutShortIsRefused(Row<K, V> row) {
        if (row.table() == Tables.ATTRIBUTES) {
            return; // The value of an attribute is whatever is there.
        }
        byte[] bytes = row.table().valueBytes(row.value());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);

            assertThatThrownBy(() -> row.table().value(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(DecodeException.class);
        }
    }

    @Test
    void aDirectoryOfTheSecondVersionIsAQuotaNodeOrNone() throws IOException {
        String[] old = fixture("directory-2").split(" ", -1);

        assertThat(Tables.DIRECTORIES.value(HexFormat.of().parseHex(old[1])))
                .isEqualTo(
                        new Rows.Directory(17, 1, 02775, 16, 17, 0, 100, 200, 300, 5, 6, 1, "", 7));
    }

    @Test
    void aQuotaOfTheFirstVersionHasNoLimitWhereNobodySetOne() throws IOException {
        String[] old = fixture("quota-1").split(" ", -1);

        assertThat(Tables.QUOTAS.value(HexFormat.of().parseHex(old[1])))
                .isEqualTo(new QuotaRow(new QuotaLimits(1L << 40, -2, -2, -2), 2, 3, 4, 5));
    }

    @Test
    void aDirectoryOfTheFirstVersionMayBeAsDeepAsAPath() throws IOException {
        String[] old = fixture("directory-1").split(" ", -1);

        Rows.Directory read = Tables.DIRECTORIES.value(HexFormat.of().parseHex(old[1]));

        assertThat(read.withLevels(7))
                .isEqualTo(
                        new Rows.Directory(17, 1, 02775, 16, 17, 0, 100, 200, 300, 5, 6, 1, "", 7));
        assertThat(read.levels()).isEqualTo(255);
    }

    private static String fixture(String name) throws IOException {
        try (InputStream in = OldRowsTest.class.getResourceAsStream("/rows/" + name + ".hex")) {
            byte[] text = Objects.requireNonNull(in, "no fixture " + name).readAllBytes();
            return new String(text, US_ASCII).strip();
        }
    }
}
