package org.cepheus.domain.command;

import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;

/** The bytes of what is said about quotas; a part of {@link CommandCodec}. */
final class QuotaCodec {
    private QuotaCodec() {}

    /** Tags 4 to 7; the first version knew 4 and 5. */
    static FieldWriter write(QuotaChange change, FieldWriter w) {
        return w.number(4, change.bytes())
                .number(5, change.files())
                .number(6, change.softBytes())
                .number(7, change.softFiles());
    }

    static QuotaChange change(FieldReader f) {
        return new QuotaChange(
                f.optionalNumber(4), f.optionalNumber(5), f.optionalNumber(6), f.optionalNumber(7));
    }

    static FieldWriter write(QuotaCommand command, FieldWriter w) {
        return switch (command) {
            case QuotaCommand.AddCounted c ->
                    w.number(1, c.node())
                            .number(2, c.countId())
                            .number(3, c.rowsBefore())
                            .bytes(4, rows(c.rows()))
                            .flag(5, c.last());
        };
    }

    static QuotaCommand.AddCounted addCounted(FieldReader f) {
        return new QuotaCommand.AddCounted(
                f.number(1), f.number(2), f.number(3), rows(f.bytes(4)), f.flag(5));
    }

    private static byte[] rows(List<QuotaCommand.Found> rows) {
        var w = new ByteWriter(rows.size() * 16 + 8).varint(rows.size());
        for (QuotaCommand.Found row : rows) {
            w.u8(row.kind().code())
                    .varint(row.principal())
                    .varint(row.usedBytes())
                    .varint(row.usedFiles())
                    .varint(row.reservedBytes())
                    .varint(row.reservedFiles());
        }
        return w.toBytes();
    }

    private static List<QuotaCommand.Found> rows(byte[] bytes) {
        var r = new ByteReader(bytes);
        var rows = new ArrayList<QuotaCommand.Found>();
        for (int n = r.count(QuotaCommand.MAX_ROWS); n > 0; n--) {
            rows.add(
                    new QuotaCommand.Found(
                            DomainCodec.one(QuotaKind.values(), r.u8()),
                            r.count(Integer.MAX_VALUE),
                            r.varint(),
                            r.varint(),
                            r.varint(),
                            r.varint()));
        }
        if (r.hasMore()) {
            throw new DecodeException("%d bytes too many".formatted(r.remaining()));
        }
        return rows;
    }
}
