package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * Checksums in headers: {@code Digest} and {@code Want-Digest} (RFC 3230, with adler32 in hex as
 * all of the grid does) and {@code Repr-Digest} and {@code Want-Repr-Digest} (RFC 9530).
 */
final class Digests {
    static final String DIGEST = "Digest";
    static final String REPR_DIGEST = "Repr-Digest";
    private static final String WANT_DIGEST = "Want-Digest";
    private static final String WANT_REPR_DIGEST = "Want-Repr-Digest";

    private Digests() {}

    static boolean areWanted(HttpHeaders request) {
        return request.contains(WANT_DIGEST) || request.contains(WANT_REPR_DIGEST);
    }

    /** Adds what the request asked for, as far as it is known. */
    static void add(HttpHeaders request, List<Checksum> known, HttpHeaders answer) {
        best(request.get(WANT_DIGEST, ""), ";q=", known)
                .ifPresent(sum -> answer.set(DIGEST, oldForm(sum)));
        best(request.get(WANT_REPR_DIGEST, ""), "=", known)
                .ifPresent(sum -> answer.set(REPR_DIGEST, newForm(sum)));
    }

    private static Optional<Checksum> best(String wanted, String weightMark, List<Checksum> known) {
        Optional<Checksum> best = Optional.empty();
        double bestWeight = 0;
        for (String item : wanted.split(",", -1)) {
            String text = item.replace(" ", "").toLowerCase(Locale.ROOT);
            int mark = text.indexOf(weightMark);
            double weight = mark < 0 ? 1 : weight(text.substring(mark + weightMark.length()));
            Optional<Checksum> found = find(mark < 0 ? text : text.substring(0, mark), known);
            if (weight > bestWeight && found.isPresent()) {
                best = found;
                bestWeight = weight;
            }
        }
        return best;
    }

    private static double weight(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Optional<Checksum> find(String name, List<Checksum> known) {
        Optional<ChecksumType> type = type(name);
        return known.stream()
                .filter(sum -> type.filter(t -> t == sum.type()).isPresent())
                .findFirst();
    }

    private static Optional<ChecksumType> type(String name) {
        return switch (name) {
            case "adler", "adler32" -> Optional.of(ChecksumType.ADLER32);
            case "sha", "sha-1" -> Optional.empty();
            default -> ChecksumType.named(name);
        };
    }

    private static String oldForm(Checksum sum) {
        return sum.type() == ChecksumType.ADLER32
                ? "adler32=" + sum.hex()
                : sum.type().word() + "=" + base64(sum);
    }

    private static String newForm(Checksum sum) {
        String name = sum.type() == ChecksumType.ADLER32 ? "adler" : sum.type().word();
        return name + "=:" + base64(sum) + ":";
    }

    private static String base64(Checksum sum) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sum.hex()));
    }

    /**
     * The checksums a client declares for what it sends, of the kinds that are computed while
     * receiving (adler32, crc32c). Other kinds are ignored, as the RFCs say.
     *
     * @throws FsException InvalidArgument if one of them is no checksum
     */
    static List<Checksum> declared(HttpHeaders request) {
        var sums = new ArrayList<Checksum>(2);
        for (String name : List.of(DIGEST, REPR_DIGEST)) {
            for (String item : request.get(name, "").split(",", -1)) {
                int equals = item.indexOf('=');
                if (equals > 0) {
                    String word = item.substring(0, equals).strip().toLowerCase(Locale.ROOT);
                    String value = item.substring(equals + 1).strip();
                    type(word)
                            .filter(t -> t == ChecksumType.ADLER32 || t == ChecksumType.CRC32C)
                            .ifPresent(t -> sums.add(read(t, value)));
                }
            }
        }
        return sums;
    }

    private static Checksum read(ChecksumType type, String value) {
        boolean quoted = value.length() > 1 && value.startsWith(":") && value.endsWith(":");
        String text = quoted ? value.substring(1, value.length() - 1) : value;
        if (!quoted && !text.contains("=")) {
            // Some clients drop leading zeros.
            return new Checksum(
                    type, text.length() < 8 ? "0".repeat(8 - text.length()) + text : text);
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return new Checksum(type, HexFormat.of().formatHex(bytes));
        } catch (IllegalArgumentException e) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "the digest of %s is not base64".formatted(type.word())));
        }
    }
}
