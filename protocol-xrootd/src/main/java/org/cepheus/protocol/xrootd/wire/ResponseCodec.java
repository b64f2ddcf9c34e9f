package org.cepheus.protocol.xrootd.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.XrootdResponse.PagesWritten.Damaged;

/**
 * Turns answers into bytes and back; the only place that knows their offsets. An answer is an
 * 8-byte header (stream id 2, status 2, data length 4) and its body.
 */
public final class ResponseCodec {
    public static final int HEADER_BYTES = 8;

    /** The 24 bytes after the header of a status answer: 16 fixed, and the offset. */
    public static final int STATUS_BODY_BYTES = 24;

    /** All bytes before the units of a pgread answer. */
    public static final int PAGES_HEADER_BYTES = HEADER_BYTES + STATUS_BODY_BYTES;

    /** The most damaged pages that one pgwrite answer names. */
    public static final int MAX_DAMAGED_PAGES = 128;

    /** The most bytes of an answer that is not file data or a listing. */
    public static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

    private static final int FIRST_REQUEST = XrootdRequest.FIRST;
    private static final int FINAL = 0;
    private static final int PARTIAL = 1;
    private static final int COMPRESSION_BYTES = 8;
    private static final int SESSION_BYTES = 16;

    private ResponseCodec() {}

    public static void header(ByteBuf out, int streamId, int status, int dataLength) {
        out.writeShort(streamId).writeShort(status).writeInt(dataLength);
    }

    public static void setHeader(ByteBuf out, int at, int streamId, int status, int dataLength) {
        out.setShort(at, streamId).setShort(at + 2, status).setInt(at + 4, dataLength);
    }

    /** Appends the header and the body of an answer that is not bulk. */
    public static void encode(int streamId, XrootdResponse response, ByteBuf out) {
        int at = out.writerIndex();
        out.writeZero(HEADER_BYTES);
        int status = body(streamId, response, out);
        int outer = response instanceof XrootdResponse.Late ? 0 : streamId;
        int length =
                response instanceof XrootdResponse.PagesWritten
                                || response instanceof XrootdResponse.Pages
                        ? STATUS_BODY_BYTES
                        : out.writerIndex() - at - HEADER_BYTES;
        setHeader(out, at, outer, status, length);
    }

    private static int body(int streamId, XrootdResponse response, ByteBuf out) {
        return switch (response) {
            case XrootdResponse.Ok r -> {
                out.writeBytes(r.body().toArray());
                yield XrootdResponse.OK;
            }
            case XrootdResponse.OkSoFar r -> {
                out.writeBytes(r.body().toArray());
                yield XrootdResponse.OK_SO_FAR;
            }
            case XrootdResponse.AuthMore r -> {
                out.writeBytes(r.challenge().toArray());
                yield XrootdResponse.AUTH_MORE;
            }
            case XrootdResponse.Failed r -> {
                text(out.writeInt(r.code()), r.text()).writeByte(0);
                yield XrootdResponse.ERROR;
            }
            case XrootdResponse.Redirect r -> {
                text(out.writeInt(r.port()), r.host());
                if (!r.opaque().isEmpty()) {
                    text(out.writeByte('?'), r.opaque());
                }
                yield XrootdResponse.REDIRECT;
            }
            case XrootdResponse.Wait r -> {
                text(out.writeInt(r.seconds()), r.text());
                yield XrootdResponse.WAIT;
            }
            case XrootdResponse.WaitForResponse r -> {
                out.writeInt(r.seconds());
                yield XrootdResponse.WAIT_RESPONSE;
            }
            case XrootdResponse.Late r -> {
                out.writeInt(XrootdResponse.ASYNC_RESPONSE).writeInt(0);
                encode(r.streamId(), r.answer(), out);
                yield XrootdResponse.ATTENTION;
            }
            case XrootdResponse.Attention r -> {
                out.writeInt(r.action());
                yield XrootdResponse.ATTENTION;
            }
            case XrootdResponse.PagesWritten r -> {
                pagesWritten(streamId, r, out);
                yield XrootdResponse.STATUS;
            }
            case XrootdResponse.Pages r -> {
                statusBody(
                        out,
                        streamId,
                        XrootdRequest.PGREAD,
                        r.isLast() ? FINAL : PARTIAL,
                        r.wireBytes(),
                        r.offset());
                yield XrootdResponse.STATUS;
            }
        };
    }

    private static void pagesWritten(int streamId, XrootdResponse.PagesWritten r, ByteBuf out) {
        List<Damaged> damaged = r.damaged();
        int more = damaged.isEmpty() ? 0 : 8 + 8 * damaged.size();
        statusBody(out, streamId, XrootdRequest.PGWRITE, FINAL, more, r.offset());
        if (more > 0) {
            int at = out.writerIndex();
            out.writeInt(0).writeShort(damaged.getFirst().length());
            out.writeShort(damaged.getLast().length());
            damaged.forEach(page -> out.writeLong(page.offset()));
            out.setInt(at, crc32c(out, at + 4, more - 4));
        }
    }

    private static void statusBody(
            ByteBuf out, int streamId, int requestId, int type, int dataLength, long offset) {
        int at = out.writerIndex();
        out.writeInt(0).writeShort(streamId).writeByte(requestId - FIRST_REQUEST).writeByte(type);
        out.writeInt(0).writeInt(dataLength).writeLong(offset);
        out.setInt(at, crc32c(out, at + 4, STATUS_BODY_BYTES - 4));
    }

    private static int crc32c(ByteBuf in, int at, int length) {
        var crc = new CRC32C();
        ByteBuffer view = in.nioBuffer(at, length);
        crc.update(view);
        return (int) crc.getValue();
    }

    private static ByteBuf text(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        return out;
    }

    /** The body of the answer to open. */
    public static void encode(XrootdResponse.Opened opened, boolean compression, ByteBuf out) {
        out.writeInt(opened.handle());
        if (compression) {
            out.writeZero(COMPRESSION_BYTES);
        }
        opened.stat().ifPresent(stat -> stat.write(out));
        if (opened.stat().isPresent()) {
            out.writeByte(0);
        }
    }

    /** The body of the answer to login. */
    public static void encode(XrootdResponse.LoggedIn login, ByteBuf out) {
        out.writeBytes(login.session().toArray());
        text(out, login.security());
    }

    /** The body of the answer to protocol. */
    public static void encode(XrootdResponse.Served served, ByteBuf out) {
        out.writeInt(served.version()).writeInt(served.flags());
    }

    public static int streamId(ByteBuf in, int at) {
        return in.getUnsignedShort(at);
    }

    public static int status(ByteBuf in, int at) {
        return in.getUnsignedShort(at + 2);
    }

    public static int dataLength(ByteBuf in, int at) {
        return in.getInt(at + 4);
    }

    /**
     * Bytes of a status answer beyond its header's length that are not file data: the list of
     * damaged pages. Needs the whole {@link #PAGES_HEADER_BYTES}.
     */
    public static int statusDataLength(ByteBuf in, int at) {
        return in.getInt(at + HEADER_BYTES + 12);
    }

    /** True if the status answer belongs to a pgwrite. Needs its whole header. */
    public static boolean isPageWrite(ByteBuf in, int at) {
        return in.getUnsignedByte(at + HEADER_BYTES + 6) + FIRST_REQUEST == XrootdRequest.PGWRITE;
    }

    /**
     * Reads one answer of {@code length} bytes at {@code at}; of a pgread only its header.
     *
     * @throws FsException InvalidArgument when the bytes are not an answer
     */
    public static XrootdResponse decode(ByteBuf in, int at, int length) {
        if (length < HEADER_BYTES || at < 0 || in.writerIndex() - at < length) {
            throw invalid("answer of %d bytes is cut short", length);
        }
        int status = status(in, at);
        int bodyLength = length - HEADER_BYTES;
        if (status != XrootdResponse.STATUS && dataLength(in, at) != bodyLength) {
            throw invalid("answer has %d bytes, its header says otherwise", length);
        }
        int body = at + HEADER_BYTES;
        return switch (status) {
            case XrootdResponse.OK -> new XrootdResponse.Ok(bytes(in, body, bodyLength));
            case XrootdResponse.OK_SO_FAR ->
                    new XrootdResponse.OkSoFar(bytes(in, body, bodyLength));
            case XrootdResponse.AUTH_MORE ->
                    new XrootdResponse.AuthMore(bytes(in, body, bodyLength));
            case XrootdResponse.ERROR ->
                    new XrootdResponse.Failed(
                            number(in, body, bodyLength), text(in, body + 4, bodyLength - 4));
            case XrootdResponse.REDIRECT ->
                    redirect(number(in, body, bodyLength), text(in, body + 4, bodyLength - 4));
            case XrootdResponse.WAIT ->
                    new XrootdResponse.Wait(
                            number(in, body, bodyLength), text(in, body + 4, bodyLength - 4));
            case XrootdResponse.WAIT_RESPONSE ->
                    new XrootdResponse.WaitForResponse(number(in, body, bodyLength));
            case XrootdResponse.ATTENTION -> attention(in, body, bodyLength);
            case XrootdResponse.STATUS -> status(in, at, length);
            default -> throw invalid("unknown answer status %d", status);
        };
    }

    private static XrootdResponse redirect(int port, String text) {
        int mark = text.indexOf('?');
        return mark < 0
                ? new XrootdResponse.Redirect(port, text, "")
                : new XrootdResponse.Redirect(
                        port, text.substring(0, mark), text.substring(mark + 1));
    }

    private static XrootdResponse attention(ByteBuf in, int body, int length) {
        int action = number(in, body, length);
        if (action != XrootdResponse.ASYNC_RESPONSE) {
            return new XrootdResponse.Attention(action);
        }
        int inner = body + 8;
        if (length < 8 + HEADER_BYTES || status(in, inner) == XrootdResponse.ATTENTION) {
            throw invalid("late answer of %d bytes holds no answer", length);
        }
        return new XrootdResponse.Late(streamId(in, inner), decode(in, inner, length - 8));
    }

    private static XrootdResponse status(ByteBuf in, int at, int length) {
        if (length < PAGES_HEADER_BYTES || dataLength(in, at) != STATUS_BODY_BYTES) {
            throw invalid("status answer of %d bytes", length);
        }
        int body = at + HEADER_BYTES;
        if (in.getInt(body) != crc32c(in, body + 4, STATUS_BODY_BYTES - 4)) {
            throw invalid("status answer with a wrong checksum");
        }
        int dataLength = statusDataLength(in, at);
        long offset = in.getLong(body + 16);
        if (dataLength < 0 || offset < 0) {
            throw invalid("status answer with length %d at offset %d", dataLength, offset);
        }
        if (!isPageWrite(in, at)) {
            return new XrootdResponse.Pages(
                    offset, dataLength, in.getUnsignedByte(body + 7) == FINAL);
        }
        if (length != PAGES_HEADER_BYTES + dataLength) {
            throw invalid("status answer of %d bytes, its header says otherwise", length);
        }
        return new XrootdResponse.PagesWritten(
                offset, damaged(in, at + PAGES_HEADER_BYTES, dataLength));
    }

    private static List<Damaged> damaged(ByteBuf in, int at, int length) {
        if (length == 0) {
            return List.of();
        }
        int count = (length - 8) / 8;
        if (length % 8 != 0 || count < 1 || in.getInt(at) != crc32c(in, at + 4, length - 4)) {
            throw invalid("list of damaged pages with %d bytes", length);
        }
        var pages = new ArrayList<Damaged>(count);
        for (int i = 0; i < count; i++) {
            long offset = in.getLong(at + 8 + 8 * i);
            int bytes =
                    i == 0
                            ? in.getUnsignedShort(at + 4)
                            : i == count - 1 ? in.getUnsignedShort(at + 6) : PageLayout.PAGE_BYTES;
            pages.add(new Damaged(offset, bytes));
        }
        return pages;
    }

    /** Reads the body of the answer to open. */
    public static XrootdResponse.Opened opened(Bytes body) {
        ByteBuffer in = ByteBuffer.wrap(body.toArray());
        if (in.remaining() < 4) {
            throw invalid("answer to open of %d bytes", in.remaining());
        }
        int handle = in.getInt();
        if (in.remaining() <= COMPRESSION_BYTES) {
            return new XrootdResponse.Opened(handle, Optional.empty());
        }
        in.position(in.position() + COMPRESSION_BYTES);
        return new XrootdResponse.Opened(handle, StatText.parse(text(in)));
    }

    /** Reads the body of the answer to login. */
    public static XrootdResponse.LoggedIn loggedIn(Bytes body) {
        byte[] all = body.toArray();
        if (all.length < SESSION_BYTES) {
            throw invalid("answer to login of %d bytes", all.length);
        }
        var session = new byte[SESSION_BYTES];
        ByteBuffer in = ByteBuffer.wrap(all).get(session);
        return new XrootdResponse.LoggedIn(Bytes.copyOf(session), text(in));
    }

    /** Reads the body of the answer to protocol. */
    public static XrootdResponse.Served served(Bytes body) {
        ByteBuffer in = ByteBuffer.wrap(body.toArray());
        if (in.remaining() < 8) {
            throw invalid("answer to protocol of %d bytes", in.remaining());
        }
        return new XrootdResponse.Served(in.getInt(), in.getInt());
    }

    private static int number(ByteBuf in, int at, int length) {
        if (length < 4) {
            throw invalid("answer body of %d bytes, needs a number", length);
        }
        return in.getInt(at);
    }

    private static Bytes bytes(ByteBuf in, int at, int length) {
        return Bytes.copyOf(ByteBufUtil.getBytes(in, at, length));
    }

    private static String text(ByteBuf in, int at, int length) {
        return text(in.nioBuffer(at, length));
    }

    /** Text up to its end or the first NUL. */
    private static String text(ByteBuffer in) {
        String all = StandardCharsets.UTF_8.decode(in).toString();
        int nul = all.indexOf('\0');
        return nul < 0 ? all : all.substring(0, nul);
    }

    private static FsException invalid(String format, Object... values) {
        return new FsException(new FsError.InvalidArgument(format.formatted(values)));
    }
}
