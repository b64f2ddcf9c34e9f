package org.cepheus.protocol.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.FuzzRun;
import org.cepheus.domain.fuzz.Mutator;

/**
 * Makes inputs of recorded sessions: damages heads, header values and bodies, mostly so that the
 * next request is still found, and sometimes the stream of bytes as such.
 */
final class HeadMutator implements FuzzRun.Source {
    private static final List<String> WORDS =
            List.of(
                    "\r\n",
                    "\r\n\r\n",
                    "\n",
                    "\r",
                    ":",
                    " ",
                    "\t",
                    "\0",
                    ",",
                    "%2e%2e%2f",
                    "%00",
                    "%c0%ae",
                    "%",
                    "/../",
                    "..\\",
                    "//",
                    "#",
                    "?cph.tkt=",
                    "?cph.tkt=1.r.2f612e747874.",
                    "http://x/",
                    "*",
                    "\u00e9",
                    "<",
                    ">",
                    "&amp;",
                    "&x;",
                    "]]>",
                    "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>",
                    "<?x?>",
                    " xmlns:D=\"DAV:\"",
                    "<D:a>".repeat(300),
                    "ffffffffffffffff",
                    "0\r\n\r\n",
                    "bytes=",
                    "Basic ",
                    "chunked");

    private static final List<String> HEADERS =
            List.of(
                    "Range: bytes=0-9",
                    "Range: bytes=5-",
                    "Range: bytes=-7",
                    "Range: bytes=0-0,5-9,-3",
                    "Range: bytes=9223372036854775807-",
                    "If-Range: \"7\"",
                    "If-None-Match: *",
                    "If-None-Match: \"7\", W/\"8\"",
                    "If-Match: \"7\"",
                    "If-Modified-Since: Fri, 20 Nov 2026 12:00:00 GMT",
                    "If-Unmodified-Since: Fri, 20 Nov 2026 12:00:00 GMT",
                    "If: <http://x/a> (<urn:uuid:1> [\"7\"]) (Not <DAV:no-lock>)",
                    "Want-Digest: adler32;q=1, md5;q=0.5",
                    "Want-Repr-Digest: adler=9, sha-256=1",
                    "Digest: adler32=00000001",
                    "Digest: md5=CY9rzUYh03PK3k6DJie09g==,adler32=1",
                    "Repr-Digest: adler=:AAAAAQ==:",
                    "OC-Checksum: ADLER32:1",
                    "Destination: http://127.0.0.1/dir/b.txt",
                    "Destination: /dir/../../etc",
                    "Overwrite: F",
                    "Depth: 1",
                    "Depth: infinity",
                    "Content-Range: bytes 0-9/100",
                    "Content-Length: 5",
                    "Content-Length: 99999999999999999999",
                    "Transfer-Encoding: chunked",
                    "Transfer-Encoding: gzip, chunked",
                    "Expect: 100-continue",
                    "Connection: close",
                    "Connection: Upgrade, HTTP2-Settings",
                    "Host: b",
                    "Authorization: Bearer x",
                    "Timeout: Second-9",
                    "Lock-Token: <urn:uuid:1>",
                    "TransferHeaderX: y",
                    "Source: http://a/b",
                    "Accept: text/html");

    private static final List<String> METHODS =
            List.of(
                    "GET",
                    "HEAD",
                    "PUT",
                    "DELETE",
                    "MKCOL",
                    "MOVE",
                    "COPY",
                    "PROPFIND",
                    "PROPPATCH",
                    "OPTIONS",
                    "LOCK",
                    "UNLOCK",
                    "POST",
                    "PATCH",
                    "TRACE",
                    "CONNECT",
                    "PRI",
                    "get");

    private static final List<String> BODIES =
            List.of(
                    """
                    <?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop><D:getetag/>\
                    <D:quota-used-bytes/><x:colour xmlns:x="urn:x"/></D:prop></D:propfind>\
                    """,
                    """
                    <?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>\
                    <x:colour xmlns:x="urn:x">red</x:colour></D:prop></D:set><D:remove><D:prop>\
                    <x:size xmlns:x="urn:x"/></D:prop></D:remove></D:propertyupdate>\
                    """,
                    """
                    <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>\
                    </D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>\
                    """);

    /** One request: the lines of its head, and its body as it was sent. */
    private static final class Request {
        final List<String> head;
        byte[] body;

        Request(List<String> head, byte[] body) {
            this.head = new ArrayList<>(head);
            this.body = body;
        }

        Request copy() {
            return new Request(head, body);
        }

        void set(String header) {
            String name = header.substring(0, header.indexOf(':') + 1);
            head.removeIf(line -> line.regionMatches(true, 0, name, 0, name.length()));
            head.add(header);
        }

        void writeTo(ByteArrayOutputStream out) {
            for (String line : head) {
                out.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            }
            out.writeBytes(new byte[] {'\r', '\n'});
            out.writeBytes(body);
        }
    }

    private final List<List<Request>> sessions = new ArrayList<>();
    private final Mutator mutator = new Mutator(WORDS);

    HeadMutator(Corpus corpus) {
        corpus.captures().forEach(capture -> sessions.add(requests(capture.bytes())));
    }

    private static List<Request> requests(byte[] session) {
        String text = new String(session, StandardCharsets.ISO_8859_1);
        var requests = new ArrayList<Request>();
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf("\r\n\r\n", at);
            end = end < 0 ? text.length() : end;
            List<String> head = List.of(text.substring(at, end).split("\r\n", -1));
            int body = Math.min(text.length(), end + 4);
            at = Math.min(text.length(), body + length(head));
            requests.add(new Request(head, Arrays.copyOfRange(session, body, at)));
        }
        return requests;
    }

    private static int length(List<String> head) {
        return head.stream()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public byte[] next(RandomGenerator random) {
        var requests = new ArrayList<Request>();
        sessions.get(random.nextInt(sessions.size())).forEach(r -> requests.add(r.copy()));
        List<Request> other = sessions.get(random.nextInt(sessions.size()));
        for (int i = random.nextInt(5); i >= 0; i--) {
            change(requests, other, random);
        }
        var bytes = new ByteArrayOutputStream();
        requests.forEach(request -> request.writeTo(bytes));
        byte[] all = bytes.toByteArray();
        boolean bytesToo = random.nextInt(4) == 0;
        return bytesToo || all.length > Mutator.MAX_INPUT_BYTES
                ? mutator.mutate(all, all, random)
                : all;
    }

    private void change(List<Request> requests, List<Request> other, RandomGenerator random) {
        int at = random.nextInt(requests.size());
        Request request = requests.get(at);
        int line = random.nextInt(request.head.size());
        switch (random.nextInt(11)) {
            case 0 -> requests.add(at, request.copy());
            case 1 -> requests.add(other.get(random.nextInt(other.size())).copy());
            case 2 -> {
                for (int i = random.nextInt(random.nextInt(16) == 0 ? 1000 : 4); i > 0; i--) {
                    requests.add(at, request.copy());
                }
            }
            case 3 -> request.head.set(line, mutated(request.head.get(line), random));
            case 4 -> request.head.add(mutated(pick(HEADERS, random), random));
            case 5 -> request.set(pick(HEADERS, random));
            case 6 -> request.head.add(pick(HEADERS, random));
            case 7 ->
                    request.head.set(
                            0,
                            request.head.getFirst().replaceFirst("^\\S*", pick(METHODS, random)));
            case 8 -> {
                request.body = mutator.mutate(request.body, request.body, random);
                request.set("Content-Length: " + request.body.length);
            }
            case 9 -> {
                byte[] xml = pick(BODIES, random).getBytes(StandardCharsets.UTF_8);
                request.body = random.nextInt(4) == 0 ? xml : mutator.mutate(xml, xml, random);
                request.head.set(
                        0,
                        (random.nextBoolean() ? "PROPFIND" : pick(METHODS, random))
                                + " /dir HTTP/1.1");
                request.set("Depth: " + random.nextInt(2));
                request.set("Content-Length: " + request.body.length);
            }
            default -> request.head.remove(line);
        }
        if (request.head.isEmpty()) {
            request.head.add("GET / HTTP/1.1");
        }
    }

    private static String pick(List<String> from, RandomGenerator random) {
        return from.get(random.nextInt(from.size()));
    }

    private String mutated(String line, RandomGenerator random) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return new String(mutator.mutate(bytes, bytes, random), StandardCharsets.ISO_8859_1);
    }
}
