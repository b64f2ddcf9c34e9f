package org.cepheus.protocol.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** Percent-encoding of paths (RFC 3986 section 2.1), UTF-8 only. */
final class PercentCoding {
    private static final String PLAIN_MARKS = "-._~/";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private PercentCoding() {}

    /**
     * The text behind an encoded path. Bytes of 0x80 and more may stand unencoded, as curl sends
     * them.
     *
     * @throws FsException InvalidArgument for a broken escape, bytes that are no UTF-8, NUL, spaces
     *     and other bytes that may not stand in a request line
     */
    static String decode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int length = 0;
        boolean ascii = true;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                c = (char) escaped(encoded, i);
                i += 2;
            } else if (c <= ' ' || c == 0x7f || c > 0xff) {
                throw bad("the character 0x%02x at position %d".formatted((int) c, i));
            }
            if (c == 0) {
                throw bad("a NUL at position " + i);
            }
            ascii &= c < 0x80;
            bytes[length++] = (byte) c;
        }
        if (ascii) {
            return new String(bytes, 0, length, StandardCharsets.US_ASCII);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw bad("bytes that are not UTF-8");
        }
    }

    private static int escaped(String encoded, int at) {
        if (at + 2 >= encoded.length()
                || !HexFormat.isHexDigit(encoded.charAt(at + 1))
                || !HexFormat.isHexDigit(encoded.charAt(at + 2))) {
            throw bad("a '%%' without two hex digits at position %d".formatted(at));
        }
        return HexFormat.fromHexDigits(encoded, at + 1, at + 3);
    }

    private static boolean isPlain(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || (b > 0 && PLAIN_MARKS.indexOf(b) >= 0);
    }

    /** The path with every byte escaped that is not unreserved or a slash. */
    static String encode(String path) {
        var out = new StringBuilder(path.length() + 16);
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
            }
        }
        return out.toString();
    }

    private static FsException bad(String what) {
        return new FsException(
                new FsError.InvalidArgument(
                        "the URL has " + what + "; send the path percent-encoded in UTF-8"));
    }
}
