package org.cepheus.protocol.xrootd.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany;

/**
 * Turns request frames into records and back; the only place that knows their offsets. A frame is a
 * 24-byte header (stream id 2, request id 2, body 16, data length 4) and its argument; of {@code
 * write} and {@code pgwrite} it is the header alone, their data is bulk.
 */
public final class RequestCodec {
    public static final int HEADER_BYTES = 24;

    /** The most bytes of a path with its CGI, a query, a login or a list of paths. */
    public static final int MAX_ARGUMENT_BYTES = 64 * 1024;

    /** Room for one attribute of the longest value with all that comes with it. */
    public static final int MAX_ATTRIBUTES_BYTES = 2 * MAX_ARGUMENT_BYTES;

    private static final int BODY = 4;
    private static final int DATA_LENGTH = 20;
    private static final int SEGMENT_BYTES = 16;
    private static final int SESSION_BYTES = 16;
    private static final int USER_BYTES = 8;
    private static final int CHECKPOINT_EXECUTE = 4;

    private RequestCodec() {}

    public static int streamId(ByteBuf in, int at) {
        return in.getUnsignedShort(at);
    }

    public static int requestId(ByteBuf in, int at) {
        return in.getUnsignedShort(at + 2);
    }

    /** What the header says follows it; negative if the client is broken. */
    public static int dataLength(ByteBuf in, int at) {
        return in.getInt(at + DATA_LENGTH);
    }

    /** The stream on which the data of a write or pgwrite comes. */
    public static int pathId(ByteBuf in, int at) {
        return in.getUnsignedByte(at + BODY + 12);
    }

    /** The most bytes that the argument of a request may have. */
    public static int maxArgumentBytes(int requestId) {
        return requestId == XrootdRequest.FATTR ? MAX_ATTRIBUTES_BYTES : MAX_ARGUMENT_BYTES;
    }

    /** True if what follows the header is file data. */
    public static boolean isBulk(int requestId) {
        return requestId == XrootdRequest.WRITE || requestId == XrootdRequest.PGWRITE;
    }

    /**
     * Reads one frame of {@code length} bytes at {@code at}.
     *
     * @throws FsException InvalidArgument or TooLong, saying which field; the connection may live
     *     on
     */
    public static XrootdRequest decode(ByteBuf in, int at, int length) {
        if (length < HEADER_BYTES || at < 0 || in.writerIndex() - at < length) {
            throw invalid("request frame of %d bytes is cut short", length);
        }
        int requestId = requestId(in, at);
        int dataLength = dataLength(in, at);
        if (dataLength < 0) {
            throw invalid("negative data length %d in request %d", dataLength, requestId);
        }
        if (isBulk(requestId)) {
            return bulk(requestId, in, at + BODY, dataLength);
        }
        if (length != HEADER_BYTES + dataLength) {
            throw invalid("request %d has %d bytes, its header says otherwise", requestId, length);
        }
        return argument(requestId, in, at + BODY, at + HEADER_BYTES, dataLength);
    }

    private static XrootdRequest bulk(int requestId, ByteBuf in, int body, int dataLength) {
        int handle = in.getInt(body);
        long offset = offset(in.getLong(body + 4), dataLength);
        int pathId = in.getUnsignedByte(body + 12);
        return requestId == XrootdRequest.WRITE
                ? new XrootdRequest.Write(handle, offset, dataLength, pathId)
                : new XrootdRequest.PageWrite(
                        handle, offset, dataLength, pathId, in.getUnsignedByte(body + 13));
    }

    private static XrootdRequest argument(int id, ByteBuf in, int body, int data, int length) {
        return switch (id) {
            case XrootdRequest.AUTH ->
                    new XrootdRequest.Auth(text(in, body + 12, 4), bytes(in, data, length));
            case XrootdRequest.QUERY ->
                    new XrootdRequest.Query(
                            in.getUnsignedShort(body), in.getInt(body + 4), text(in, data, length));
            case XrootdRequest.CHMOD ->
                    new XrootdRequest.Chmod(in.getUnsignedShort(body + 14), text(in, data, length));
            case XrootdRequest.CLOSE -> new XrootdRequest.Close(in.getInt(body));
            case XrootdRequest.DIRLIST ->
                    new XrootdRequest.DirList(
                            in.getUnsignedByte(body + 15), text(in, data, length));
            case XrootdRequest.PROTOCOL ->
                    new XrootdRequest.Protocol(
                            in.getInt(body),
                            in.getUnsignedByte(body + 4),
                            in.getUnsignedByte(body + 5));
            case XrootdRequest.LOGIN ->
                    new XrootdRequest.Login(
                            in.getInt(body),
                            text(in, body + 4, USER_BYTES),
                            in.getUnsignedByte(body + 12),
                            in.getUnsignedByte(body + 13),
                            in.getUnsignedByte(body + 14),
                            text(in, data, length));
            case XrootdRequest.MKDIR ->
                    new XrootdRequest.MakeDirectory(
                            in.getUnsignedByte(body),
                            in.getUnsignedShort(body + 14),
                            text(in, data, length));
            case XrootdRequest.MV -> move(in, in.getUnsignedShort(body + 14), data, length);
            case XrootdRequest.OPEN ->
                    new XrootdRequest.Open(
                            in.getUnsignedShort(body),
                            in.getUnsignedShort(body + 2),
                            in.getUnsignedShort(body + 4),
                            text(in, data, length));
            case XrootdRequest.PING -> new XrootdRequest.Ping();
            case XrootdRequest.READ ->
                    new XrootdRequest.Read(
                            in.getInt(body),
                            offset(in.getLong(body + 4), in.getInt(body + 12)),
                            in.getInt(body + 12),
                            length > 0 ? in.getUnsignedByte(data) : 0);
            case XrootdRequest.RM -> new XrootdRequest.Remove(text(in, data, length));
            case XrootdRequest.RMDIR -> new XrootdRequest.RemoveDirectory(text(in, data, length));
            case XrootdRequest.SYNC -> new XrootdRequest.Sync(in.getInt(body));
            case XrootdRequest.STAT ->
                    new XrootdRequest.Stat(
                            in.getUnsignedByte(body), in.getInt(body + 12), text(in, data, length));
            case XrootdRequest.SET ->
                    new XrootdRequest.SetInfo(
                            in.getUnsignedByte(body + 15), text(in, data, length));
            case XrootdRequest.PREPARE ->
                    new XrootdRequest.Prepare(
                            in.getUnsignedByte(body),
                            in.getUnsignedByte(body + 1),
                            in.getUnsignedShort(body + 2),
                            in.getUnsignedShort(body + 4),
                            text(in, data, length));
            case XrootdRequest.STATX -> new XrootdRequest.StatMany(text(in, data, length));
            case XrootdRequest.ENDSESS ->
                    new XrootdRequest.EndSession(bytes(in, body, SESSION_BYTES));
            case XrootdRequest.BIND -> new XrootdRequest.Bind(bytes(in, body, SESSION_BYTES));
            case XrootdRequest.READV -> readMany(in, body, data, length);
            case XrootdRequest.LOCATE ->
                    new XrootdRequest.Locate(in.getUnsignedShort(body), text(in, data, length));
            case XrootdRequest.TRUNCATE ->
                    new XrootdRequest.Truncate(
                            in.getInt(body),
                            offset(in.getLong(body + 4), 0),
                            text(in, data, length));
            case XrootdRequest.PGREAD ->
                    new XrootdRequest.PageRead(
                            in.getInt(body),
                            offset(in.getLong(body + 4), in.getInt(body + 12)),
                            in.getInt(body + 12),
                            length > 0 ? in.getUnsignedByte(data) : 0,
                            length > 1 ? in.getUnsignedByte(data + 1) : 0);
            case XrootdRequest.WRITEV ->
                    new XrootdRequest.WriteMany(
                            in.getUnsignedByte(body), segments("writev", in, data, length));
            case XrootdRequest.FATTR -> AttributeCodec.decode(in, body, data, length);
            case XrootdRequest.SIGVER ->
                    new XrootdRequest.Signature(
                            in.getUnsignedShort(body),
                            in.getUnsignedByte(body + 2),
                            in.getUnsignedByte(body + 3),
                            in.getLong(body + 4),
                            in.getUnsignedByte(body + 12),
                            bytes(in, data, length));
            case XrootdRequest.CHKPOINT ->
                    new XrootdRequest.NotServed(id, checkpointBytes(in, body, data, length));
            default ->
                    id >= XrootdRequest.FIRST && id <= XrootdRequest.LAST
                            ? new XrootdRequest.NotServed(id, 0)
                            : new XrootdRequest.Unknown(id);
        };
    }

    /** With a length of the source the space is where it says, else at the first one. */
    private static XrootdRequest move(ByteBuf in, int sourceLength, int data, int length) {
        int space =
                sourceLength > 0
                        ? data + sourceLength
                        : in.indexOf(data, data + length, (byte) ' ');
        if (space <= data || space >= data + length - 1 || in.getByte(space) != ' ') {
            throw invalid("mv needs two paths separated by a space");
        }
        return new XrootdRequest.Move(
                text(in, data, space - data), text(in, space + 1, data + length - space - 1));
    }

    private static XrootdRequest readMany(ByteBuf in, int body, int data, int length) {
        return new ReadMany(in.getUnsignedByte(body + 15), segments("readv", in, data, length));
    }

    private static List<ReadMany.Segment> segments(
            String operation, ByteBuf in, int data, int length) {
        int count = length / SEGMENT_BYTES;
        if (length % SEGMENT_BYTES != 0 || count == 0 || count > ReadMany.MAX_SEGMENTS) {
            throw invalid(
                    "%s list of %d bytes; it holds 1 to %d entries of %d bytes",
                    operation, length, ReadMany.MAX_SEGMENTS, SEGMENT_BYTES);
        }
        var segments = new ArrayList<ReadMany.Segment>(count);
        for (int at = data; at < data + length; at += SEGMENT_BYTES) {
            int bytes = in.getInt(at + 4);
            if (bytes < 0 || bytes > ReadMany.MAX_SEGMENT_BYTES) {
                throw new FsException(
                        new FsError.TooLong(
                                "%s segment of %d bytes, the limit is %d"
                                        .formatted(operation, bytes, ReadMany.MAX_SEGMENT_BYTES)));
            }
            segments.add(
                    new ReadMany.Segment(in.getInt(at), bytes, offset(in.getLong(at + 8), bytes)));
        }
        return segments;
    }

    /** The data of a write within a checkpoint comes after its header, which is the argument. */
    private static long checkpointBytes(ByteBuf in, int body, int data, int length) {
        boolean executes = in.getUnsignedByte(body + 15) == CHECKPOINT_EXECUTE;
        if (!executes || length != HEADER_BYTES) {
            return executes ? XrootdRequest.NotServed.UNKNOWN_LENGTH : 0;
        }
        int requestId = requestId(in, data);
        int dataLength = dataLength(in, data);
        if (isBulk(requestId) && dataLength >= 0) {
            return dataLength;
        }
        return dataLength == 0 ? 0 : XrootdRequest.NotServed.UNKNOWN_LENGTH;
    }

    /**
     * How much file data follows a request whose list of it is wrong, as far as the list can be
     * believed; a client that is refused goes on after it.
     */
    public static long dataOfRefused(ByteBuf in, int at, int length) {
        if (requestId(in, at) != XrootdRequest.WRITEV
                || length % SEGMENT_BYTES != HEADER_BYTES % SEGMENT_BYTES) {
            return 0;
        }
        long total = 0;
        for (int entry = at + HEADER_BYTES; entry < at + length; entry += SEGMENT_BYTES) {
            total += Math.max(0, in.getInt(entry + 4));
        }
        return total;
    }

    private static long offset(long offset, int length) {
        if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
            throw invalid("offset %d with length %d is out of range", offset, length);
        }
        return offset;
    }

    /** Text up to its end or the first NUL. */
    private static String text(ByteBuf in, int at, int length) {
        int nul = length == 0 ? -1 : in.indexOf(at, at + length, (byte) 0);
        int bytes = nul < 0 ? length : nul - at;
        return bytes == 0 ? "" : in.toString(at, bytes, StandardCharsets.UTF_8);
    }

    private static Bytes bytes(ByteBuf in, int at, int length) {
        return Bytes.copyOf(ByteBufUtil.getBytes(in, at, length));
    }

    private static FsException invalid(String format, Object... values) {
        return new FsException(new FsError.InvalidArgument(format.formatted(values)));
    }

    /** Appends the frame; after a bulk request's header the caller appends its data. */
    public static void encode(int streamId, XrootdRequest request, ByteBuf out) {
        switch (request) {
            case XrootdRequest.Auth r -> {
                header(out, streamId, XrootdRequest.AUTH).writeZero(12);
                padded(out, r.type(), 4);
                argument(out, r.credential());
            }
            case XrootdRequest.Query r -> {
                header(out, streamId, XrootdRequest.QUERY).writeShort(r.type()).writeZero(2);
                argument(out.writeInt(r.handle()).writeZero(8), r.argument());
            }
            case XrootdRequest.Chmod r -> {
                header(out, streamId, XrootdRequest.CHMOD).writeZero(14).writeShort(r.mode());
                argument(out, r.target());
            }
            case XrootdRequest.Close r -> byHandle(out, streamId, XrootdRequest.CLOSE, r.handle());
            case XrootdRequest.DirList r -> {
                header(out, streamId, XrootdRequest.DIRLIST).writeZero(15).writeByte(r.options());
                argument(out, r.target());
            }
            case XrootdRequest.Protocol r -> {
                header(out, streamId, XrootdRequest.PROTOCOL).writeInt(r.version());
                out.writeByte(r.flags()).writeByte(r.expect()).writeZero(14);
            }
            case XrootdRequest.Login r -> {
                header(out, streamId, XrootdRequest.LOGIN).writeInt(r.pid());
                padded(out, r.user(), USER_BYTES);
                out.writeByte(r.ability2()).writeByte(r.ability()).writeByte(r.version());
                argument(out.writeByte(0), r.cgi());
            }
            case XrootdRequest.MakeDirectory r -> {
                header(out, streamId, XrootdRequest.MKDIR).writeByte(r.options()).writeZero(13);
                argument(out.writeShort(r.mode()), r.target());
            }
            case XrootdRequest.Move r -> {
                header(out, streamId, XrootdRequest.MV).writeZero(14);
                out.writeShort(ByteBufUtil.utf8Bytes(r.source()));
                argument(out, r.source() + " " + r.target());
            }
            case XrootdRequest.Open r -> {
                header(out, streamId, XrootdRequest.OPEN).writeShort(r.mode());
                out.writeShort(r.options()).writeShort(r.moreOptions()).writeZero(10);
                argument(out, r.target());
            }
            case XrootdRequest.Ping _ -> header(out, streamId, XrootdRequest.PING).writeZero(20);
            case XrootdRequest.Read r -> {
                range(out, streamId, XrootdRequest.READ, r.handle(), r.offset(), r.length());
                if (r.pathId() == 0) {
                    out.writeInt(0);
                } else {
                    out.writeInt(8).writeByte(r.pathId()).writeZero(7);
                }
            }
            case XrootdRequest.Remove r -> byPath(out, streamId, XrootdRequest.RM, r.target());
            case XrootdRequest.RemoveDirectory r ->
                    byPath(out, streamId, XrootdRequest.RMDIR, r.target());
            case XrootdRequest.Sync r -> byHandle(out, streamId, XrootdRequest.SYNC, r.handle());
            case XrootdRequest.Stat r -> {
                header(out, streamId, XrootdRequest.STAT).writeByte(r.options()).writeZero(11);
                argument(out.writeInt(r.handle()), r.target());
            }
            case XrootdRequest.SetInfo r -> {
                header(out, streamId, XrootdRequest.SET).writeZero(15).writeByte(r.modifier());
                argument(out, r.text());
            }
            case XrootdRequest.Write r -> {
                header(out, streamId, XrootdRequest.WRITE).writeInt(r.handle());
                out.writeLong(r.offset()).writeByte(r.pathId()).writeZero(3).writeInt(r.length());
            }
            case XrootdRequest.Prepare r -> {
                header(out, streamId, XrootdRequest.PREPARE).writeByte(r.options());
                out.writeByte(r.priority()).writeShort(r.port()).writeShort(r.moreOptions());
                argument(out.writeZero(10), r.paths());
            }
            case XrootdRequest.Attributes r -> {
                header(out, streamId, XrootdRequest.FATTR).writeInt(r.handle());
                AttributeCodec.encode(r, out);
            }
            case XrootdRequest.WriteMany r -> {
                header(out, streamId, XrootdRequest.WRITEV).writeByte(r.options()).writeZero(15);
                segments(out, r.segments());
            }
            case XrootdRequest.Signature r -> {
                header(out, streamId, XrootdRequest.SIGVER).writeShort(r.expected());
                out.writeByte(r.version()).writeByte(r.flags()).writeLong(r.sequence());
                argument(out.writeByte(r.crypto()).writeZero(3), r.signature());
            }
            case XrootdRequest.StatMany r -> byPath(out, streamId, XrootdRequest.STATX, r.paths());
            case XrootdRequest.EndSession r ->
                    header(out, streamId, XrootdRequest.ENDSESS)
                            .writeBytes(r.session().toArray())
                            .writeInt(0);
            case XrootdRequest.Bind r ->
                    header(out, streamId, XrootdRequest.BIND)
                            .writeBytes(r.session().toArray())
                            .writeInt(0);
            case XrootdRequest.ReadMany r -> readMany(out, streamId, r);
            case XrootdRequest.PageWrite r -> {
                header(out, streamId, XrootdRequest.PGWRITE).writeInt(r.handle());
                out.writeLong(r.offset()).writeByte(r.pathId()).writeByte(r.flags()).writeZero(2);
                out.writeInt(r.length());
            }
            case XrootdRequest.Locate r -> {
                header(out, streamId, XrootdRequest.LOCATE).writeShort(r.options()).writeZero(14);
                argument(out, r.target());
            }
            case XrootdRequest.Truncate r -> {
                header(out, streamId, XrootdRequest.TRUNCATE).writeInt(r.handle());
                argument(out.writeLong(r.size()).writeZero(4), r.target());
            }
            case XrootdRequest.PageRead r -> {
                range(out, streamId, XrootdRequest.PGREAD, r.handle(), r.offset(), r.length());
                out.writeInt(2).writeByte(r.pathId()).writeByte(r.flags());
            }
            case XrootdRequest.NotServed r -> header(out, streamId, r.id()).writeZero(20);
            case XrootdRequest.Unknown r -> header(out, streamId, r.id()).writeZero(20);
        }
    }

    private static void readMany(ByteBuf out, int streamId, ReadMany request) {
        header(out, streamId, XrootdRequest.READV).writeZero(15).writeByte(request.pathId());
        segments(out, request.segments());
    }

    private static void segments(ByteBuf out, List<ReadMany.Segment> segments) {
        out.writeInt(segments.size() * SEGMENT_BYTES);
        for (ReadMany.Segment segment : segments) {
            out.writeInt(segment.handle()).writeInt(segment.length()).writeLong(segment.offset());
        }
    }

    private static ByteBuf header(ByteBuf out, int streamId, int requestId) {
        return out.writeShort(streamId).writeShort(requestId);
    }

    private static void byHandle(ByteBuf out, int streamId, int requestId, int handle) {
        header(out, streamId, requestId).writeInt(handle).writeZero(16);
    }

    private static void byPath(ByteBuf out, int streamId, int requestId, String target) {
        argument(header(out, streamId, requestId).writeZero(16), target);
    }

    private static void range(
            ByteBuf out, int streamId, int requestId, int handle, long offset, int length) {
        header(out, streamId, requestId).writeInt(handle).writeLong(offset).writeInt(length);
    }

    private static void padded(ByteBuf out, String text, int width) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int kept = Math.min(bytes.length, width);
        out.writeBytes(bytes, 0, kept).writeZero(width - kept);
    }

    private static void argument(ByteBuf out, String text) {
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        out.setInt(lengthAt, out.writeCharSequence(text, StandardCharsets.UTF_8));
    }

    private static void argument(ByteBuf out, Bytes bytes) {
        out.writeInt(bytes.size()).writeBytes(bytes.toArray());
    }
}
