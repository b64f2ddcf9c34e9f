package org.cepheus.it.failure;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.RecordedSessions;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** Recorded sessions said to a running server: with tickets of its own for those recorded. */
final class LiveSessions {
    private static final int HANDSHAKE_BYTES = 20;
    private static final Pattern TICKET = Pattern.compile("cph\\.tkt=[^ &]*");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final String TO_WRITE = "cph.tkt=1.w.";

    private final CepheusUp up;

    LiveSessions(CepheusUp up) {
        this.up = up;
    }

    /** The beginning of a session, and where it is to be said. */
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record Cut(int port, byte[] bytes) {}

    /** The first bytes of an XRootD session; an upload has a lease of its own each time. */
    Cut xrootd(RecordedSessions.Session session, int end) {
        byte[] sound = session.bytes();
        if (session.name().contains("-mgm")) {
            return new Cut(up.portBase(), Arrays.copyOf(sound, end));
        }
        var in = ByteBuffer.wrap(sound);
        for (int at = HANDSHAKE_BYTES; at + RequestCodec.HEADER_BYTES <= sound.length; ) {
            int argument = at + RequestCodec.HEADER_BYTES;
            int next = argument + in.getInt(at + 20);
            if (in.getShort(at + 2) == XrootdRequest.OPEN && end > argument) {
                return opening(sound, at, next, end);
            }
            at = next;
        }
        return new Cut(up.portBase() + 1, Arrays.copyOf(sound, end));
    }

    /** With another target in the open request, cut so far from the session's end. */
    private Cut opening(byte[] sound, int at, int next, int end) {
        int argument = at + RequestCodec.HEADER_BYTES;
        String target = new String(sound, argument, next - argument, StandardCharsets.UTF_8);
        Grant grant =
                Grant.of(up, target.substring(0, target.indexOf('?')), target.contains(TO_WRITE));
        byte[] now = grant.target().getBytes(StandardCharsets.UTF_8);
        var out = ByteBuffer.allocate(sound.length - (next - argument) + now.length);
        out.put(sound, 0, argument).put(now).put(sound, next, sound.length - next);
        out.putInt(at + 20, now.length);
        int missing = sound.length - end;
        return new Cut(
                grant.port(),
                Arrays.copyOf(out.array(), Math.max(argument, out.capacity() - missing)));
    }

    /** The first bytes of an HTTP session. */
    Cut http(RecordedSessions.Session session, int end) {
        String sound = text(session);
        String said = sound.substring(0, end);
        boolean isMgm = session.name().contains("-mgm");
        int port = up.portBase() + (isMgm ? 10 : 11);
        Matcher ticket = TICKET.matcher(said);
        if (!isMgm && ticket.find() && ticket.end() < end) {
            String path = sound.substring(sound.indexOf('/'), sound.indexOf('?'));
            Grant grant = Grant.of(up, path, ticket.group().startsWith(TO_WRITE));
            port = grant.httpPort();
            said = ticket.replaceFirst(grant.opaque());
        }
        return new Cut(port, said.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(RecordedSessions.Session session) {
        return new String(session.bytes(), StandardCharsets.ISO_8859_1);
    }

    /** Where the first request of an HTTP session that changes something would be complete. */
    static int endOfHarmless(RecordedSessions.Session session) {
        String said = text(session);
        for (int at = 0; at < said.length(); ) {
            int head = said.indexOf("\r\n\r\n", at);
            if (head < 0) {
                return said.length();
            }
            Matcher length = LENGTH.matcher(said.substring(at, head));
            boolean sized = length.find();
            int end = head + 4 + (sized ? Integer.parseInt(length.group(1)) : 0);
            switch (said.substring(at, said.indexOf(' ', at))) {
                case "GET", "HEAD", "OPTIONS", "PROPFIND" -> at = end;
                // Chunks go on to the end.
                case "PUT" -> {
                    return sized ? Math.min(end, said.length()) : said.length();
                }
                default -> {
                    return Math.min(end, said.length());
                }
            }
        }
        return said.length();
    }
}
