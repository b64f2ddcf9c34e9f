package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a file that are the body of an answer, and what stands before, between and behind
 * them: nothing for one part, the frame of {@code multipart/byteranges} for several (RFC 9110
 * section 14.6).
 */
record BodyParts(List<ByteRange> parts, Optional<Frame> frame) {
    private static final byte[] NOTHING = {};

    /** The lines between parts. */
    record Frame(String boundary, String type, long sizeBytes) {
        byte[] head(ByteRange part) {
            return ascii(
                    "\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n"
                            .formatted(boundary, type, part.of(sizeBytes)));
        }

        byte[] tail() {
            return ascii("\r\n--%s--\r\n".formatted(boundary));
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }

    BodyParts {
        parts = List.copyOf(parts);
    }

    /** No bytes at all: the answer to HEAD. */
    static BodyParts none() {
        return new BodyParts(List.of(), Optional.empty());
    }

    static BodyParts one(ByteRange part) {
        return new BodyParts(part.length() == 0 ? List.of() : List.of(part), Optional.empty());
    }

    /** The parts of a request, described in the headers of the answer. */
    static BodyParts of(RangeSet ranges, long sizeBytes, String boundary, HttpHeaders headers) {
        if (ranges.parts().size() == 1) {
            headers.set(HttpHeaderNames.CONTENT_RANGE, ranges.parts().getFirst().of(sizeBytes));
            return one(ranges.parts().getFirst());
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
        headers.set(HttpHeaderNames.CONTENT_TYPE, "multipart/byteranges; boundary=" + boundary);
        return new BodyParts(ranges.parts(), Optional.of(new Frame(boundary, type, sizeBytes)));
    }

    /** The length of the whole body. */
    long lengthBytes() {
        long length = tail().length;
        for (ByteRange part : parts) {
            length += head(part).length + part.length();
        }
        return length;
    }

    byte[] head(ByteRange part) {
        return frame.isPresent() ? frame.get().head(part) : NOTHING;
    }

    byte[] tail() {
        return frame.isPresent() ? frame.get().tail() : NOTHING;
    }
}
