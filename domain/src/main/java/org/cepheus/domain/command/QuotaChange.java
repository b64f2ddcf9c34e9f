package org.cepheus.domain.command;

import java.util.OptionalLong;
import java.util.stream.Stream;
import org.cepheus.domain.QuotaLimits;

/**
 * New limits. An absent number leaves that limit as it is, {@link QuotaLimits#UNLIMITED} lifts it,
 * {@link QuotaLimits#INHERITED} goes back to the node's default.
 */
public record QuotaChange(
        OptionalLong bytes, OptionalLong files, OptionalLong softBytes, OptionalLong softFiles) {
    /** Every limit goes back to the node's default: the row is as if nobody had set it. */
    public static final QuotaChange RESET =
            new QuotaChange(
                    OptionalLong.of(QuotaLimits.INHERITED),
                    OptionalLong.of(QuotaLimits.INHERITED),
                    OptionalLong.of(QuotaLimits.INHERITED),
                    OptionalLong.of(QuotaLimits.INHERITED));

    /** Hard limits only. */
    public static QuotaChange hard(OptionalLong bytes, OptionalLong files) {
        return new QuotaChange(bytes, files, OptionalLong.empty(), OptionalLong.empty());
    }

    /** All four, for whoever looks at each. */
    public Stream<OptionalLong> all() {
        return Stream.of(bytes, files, softBytes, softFiles);
    }
}
