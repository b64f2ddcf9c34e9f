package org.cepheus.protocol.xrootd.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.Attributes;

/**
 * The argument of fattr and its answers: a path that ends with NUL, then each name as {@code rc
 * u16, name, NUL}, then each value as {@code length i32, bytes}.
 */
public final class AttributeCodec {
    private AttributeCodec() {}

    /** One name of a request and what came of it: 0, or the number of an error. */
    public record Outcome(String name, int code) {}

    static XrootdRequest decode(ByteBuf in, int body, int data, int length) {
        int action = in.getUnsignedByte(body + 4);
        int count = in.getUnsignedByte(body + 5);
        boolean isList = action == Attributes.LIST;
        if (action > Attributes.SET) {
            throw invalid("fattr has no subcode %d", action);
        }
        if (isList ? count != 0 : count == 0 || count > Attributes.MAX_NAMES) {
            throw invalid(
                    "fattr of %d names; list has none, others have 1 to %d",
                    count, Attributes.MAX_NAMES);
        }
        var cursor = new Cursor(in, data, data + length);
        String target = length == 0 ? "" : cursor.text("path", RequestCodec.MAX_ARGUMENT_BYTES);
        var names = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            cursor.zero();
            names.add(cursor.text("name", Attributes.MAX_NAME_BYTES));
        }
        var values = new ArrayList<Bytes>();
        for (int i = 0; action == Attributes.SET && i < count; i++) {
            values.add(cursor.value());
        }
        cursor.end();
        return new Attributes(
                in.getInt(body), action, in.getUnsignedByte(body + 6), target, names, values);
    }

    /** Walks over the argument; whatever does not fit it is refused. */
    private static final class Cursor {
        private final ByteBuf in;
        private final int end;
        private int at;

        Cursor(ByteBuf in, int at, int end) {
            this.in = in;
            this.at = at;
            this.end = end;
        }

        String text(String what, int maxBytes) {
            int nul = at >= end ? -1 : in.indexOf(at, end, (byte) 0);
            if (nul < 0) {
                // A client may leave out the NUL of a path that is all there is.
                nul = end;
            }
            int bytes = nul - at;
            if (bytes > maxBytes || (bytes == 0 && what.equals("name"))) {
                throw invalid("fattr %s of %d bytes, the limit is %d", what, bytes, maxBytes);
            }
            String text = in.toString(at, bytes, StandardCharsets.UTF_8);
            at = Math.min(end, nul + 1);
            return text;
        }

        void zero() {
            if (end - at < 2 || in.getShort(at) != 0) {
                throw invalid("fattr names are cut short or carry a code");
            }
            at += 2;
        }

        Bytes value() {
            int length = end - at < 4 ? -1 : in.getInt(at);
            if (length < 0 || length > Attributes.MAX_VALUE_BYTES || length > end - at - 4) {
                throw invalid(
                        "fattr value of %d bytes, the limit is %d or the request is cut short",
                        length, Attributes.MAX_VALUE_BYTES);
            }
            Bytes value = Bytes.copyOf(ByteBufUtil.getBytes(in, at + 4, length));
            at += 4 + length;
            return value;
        }

        void end() {
            if (at != end) {
                throw invalid("fattr has %d bytes too many", end - at);
            }
        }
    }

    /** Appends all that follows the handle. */
    static void encode(Attributes request, ByteBuf out) {
        out.writeByte(request.action()).writeByte(request.names().size());
        out.writeByte(request.options()).writeZero(9);
        int lengthAt = out.writerIndex();
        text(out.writeInt(0), request.target());
        request.names().forEach(name -> text(out.writeShort(0), name));
        request.values().forEach(value -> value(out, value));
        out.setInt(lengthAt, out.writerIndex() - lengthAt - 4);
    }

    /** The answer to set and delete, and the first part of the one to get. */
    public static void outcomes(List<Outcome> outcomes, ByteBuf out) {
        long failed = outcomes.stream().filter(outcome -> outcome.code() != 0).count();
        out.writeByte((int) failed).writeByte(outcomes.size());
        outcomes.forEach(outcome -> text(out.writeShort(outcome.code()), outcome.name()));
    }

    /** A value as get and list answer it. */
    public static void value(ByteBuf out, Bytes value) {
        out.writeInt(value.size()).writeBytes(value.toArray());
    }

    /** The answer to list: the names, each with its value if that is wanted. */
    public static void list(Map<String, Bytes> attributes, boolean withValues, ByteBuf out) {
        attributes.forEach((name, value) -> {
            text(out, name);
            if (withValues) {
                value(out, value);
            }
        });
    }

    private static void text(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        out.writeByte(0);
    }

    private static FsException invalid(String format, Object... values) {
        return new FsException(new FsError.InvalidArgument(format.formatted(values)));
    }
}
