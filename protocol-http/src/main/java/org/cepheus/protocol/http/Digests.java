package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * Checksums in headers: {@code Digest} and {@code Want-Digest} (RFC 3230, with adler32 in hex as
 * all of the grid does), {@code Repr-Digest}, {@code Content-Digest} and their {@code Want-} forms
 * (RFC 9530), and {@code OC-Checksum}. Types that are not known here are ignored, as the RFCs say.
 */
final class Digests {
    /** What is taken of every file that is stored; the others only when somebody asks. */
    static final Set<ChecksumType> ALWAYS_TAKEN = Set.of(ChecksumType.ADLER32, ChecksumType.CRC32C);

    static final String OC_CHECKSUM = "OC-Checksum";

    /** A pair of headers: one to ask, one to answer and to declare. */
    private enum Form {
        DIGEST("Want-Digest", "Digest", ";q="),
        REPRESENTATION("Want-Repr-Digest", "Repr-Digest", "="),
        /** The same as the representation's as long as all of it is sent. */
        CONTENT("Want-Content-Digest", "Content-Digest", "=");

        private final String wanting;
        private final String answering;
        private final String weightMark;

        Form(String wanting, String answering, String weightMark) {
            this.wanting = wanting;
            this.answering = answering;
            this.weightMark = weightMark;
        }
    }

    private Digests() {}

    static boolean areWanted(HttpHeaders request) {
        for (Form form : Form.values()) {
            if (request.contains(form.wanting)) {
                return true;
            }
        }
        return false;
    }

    /** Adds what the request asked for of a whole file, as far as it is known. */
    static void add(HttpHeaders request, List<Checksum> known, HttpHeaders answer) {
        for (Form form : Form.values()) {
            wanted(request, form, type -> find(type, known).isPresent())
                    .flatMap(type -> find(type, known))
                    .ifPresent(sum -> answer.set(form.answering, text(form, sum)));
        }
    }

    /** An answer with a part of the file has another content than the file. */
    static void removeOfContent(HttpHeaders answer) {
        answer.remove(Form.CONTENT.answering);
    }

    /** What must be taken to answer the request, because none that it accepts is known. */
    static Set<ChecksumType> missing(HttpHeaders request, List<Checksum> known) {
        Set<ChecksumType> missing = EnumSet.noneOf(ChecksumType.class);
        for (Form form : Form.values()) {
            if (wanted(request, form, type -> find(type, known).isPresent()).isEmpty()) {
                wanted(request, form, _ -> true).ifPresent(missing::add);
            }
        }
        return missing;
    }

    /** The type the client likes best among those that can be had. */
    private static Optional<ChecksumType> wanted(
            HttpHeaders request, Form form, Predicate<ChecksumType> can) {
        Optional<ChecksumType> best = Optional.empty();
        if (!request.contains(form.wanting)) {
            return best;
        }
        double bestWeight = 0;
        for (String item : String.join(",", request.getAll(form.wanting)).split(",", -1)) {
            String text = item.replace(" ", "").toLowerCase(Locale.ROOT);
            int mark = text.indexOf(form.weightMark);
            double weight = mark < 0 ? 1 : weight(text.substring(mark + form.weightMark.length()));
            Optional<ChecksumType> type = type(mark < 0 ? text : text.substring(0, mark));
            if (weight > bestWeight && type.filter(can).isPresent()) {
                best = type;
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

    private static Optional<Checksum> find(ChecksumType type, List<Checksum> known) {
        return known.stream().filter(sum -> sum.type() == type).findFirst();
    }

    private static Optional<ChecksumType> type(String name) {
        return switch (name) {
            case "adler", "adler32" -> Optional.of(ChecksumType.ADLER32);
            case "sha", "sha-1" -> Optional.empty();
            default -> ChecksumType.named(name);
        };
    }

    private static String text(Form form, Checksum sum) {
        boolean adler = sum.type() == ChecksumType.ADLER32;
        return switch (form) {
            case DIGEST -> sum.type().word() + "=" + (adler ? sum.hex() : base64(sum));
            case REPRESENTATION, CONTENT ->
                    (adler ? "adler" : sum.type().word()) + "=:" + base64(sum) + ":";
        };
    }

    private static String base64(Checksum sum) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sum.hex()));
    }

    /** Beside what is always taken: what an upload is checked for, or what is asked of it. */
    static Set<ChecksumType> ofUpload(HttpHeaders request, List<Checksum> declared) {
        Set<ChecksumType> types = EnumSet.noneOf(ChecksumType.class);
        declared.forEach(sum -> types.add(sum.type()));
        for (Form form : Form.values()) {
            wanted(request, form, _ -> true).ifPresent(types::add);
        }
        types.removeAll(ALWAYS_TAKEN);
        return types;
    }

    /**
     * The checksums a client declares for what it sends.
     *
     * @throws FsException InvalidArgument if one of them is no checksum
     */
    static List<Checksum> declared(HttpHeaders request) {
        var sums = new ArrayList<Checksum>(2);
        for (Form form : Form.values()) {
            for (String field : request.getAll(form.answering)) {
                for (String item : field.split(",", -1)) {
                    declare(item, '=', sums);
                }
            }
        }
        if (request.contains(OC_CHECKSUM)) {
            for (String item : request.get(OC_CHECKSUM).strip().split("\\s+", -1)) {
                declare(item, ':', sums);
            }
        }
        return sums;
    }

    private static void declare(String item, char mark, List<Checksum> sums) {
        int end = item.indexOf(mark);
        if (end > 0) {
            String value = item.substring(end + 1).strip();
            type(item.substring(0, end).strip().toLowerCase(Locale.ROOT))
                    .ifPresent(type -> sums.add(read(type, value, mark == ':')));
        }
    }

    private static Checksum read(ChecksumType type, String value, boolean hex) {
        boolean quoted = value.length() > 1 && value.startsWith(":") && value.endsWith(":");
        String text = quoted ? value.substring(1, value.length() - 1) : value;
        if (hex || (!quoted && ALWAYS_TAKEN.contains(type) && !text.contains("="))) {
            // Some clients drop leading zeros.
            int digits = 2 * type.byteCount();
            return new Checksum(
                    type,
                    text.length() < digits ? "0".repeat(digits - text.length()) + text : text);
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
