package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.cepheus.domain.FsPath;

/** The pieces of a 207 answer (RFC 4918 section 13). */
final class MultiStatus {
    static final String TYPE = "application/xml; charset=utf-8";

    private MultiStatus() {}

    static void open(StringBuilder out) {
        out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\"")
                .append(" xmlns:oc=\"http://owncloud.org/ns\" xmlns:L=\"LCGDM:\">\n");
    }

    static void close(StringBuilder out) {
        out.append("</D:multistatus>\n");
    }

    static void beginResponse(String encodedPath, boolean isDirectory, StringBuilder out) {
        out.append("<D:response><D:href>")
                .append(encodedPath)
                .append(isDirectory && !encodedPath.equals("/") ? "/" : "")
                .append("</D:href>");
    }

    static void endResponse(StringBuilder out) {
        out.append("</D:response>\n");
    }

    /** Properties that share a status; {@code more} is XML behind it. */
    static void propstat(CharSequence properties, String status, String more, StringBuilder out) {
        out.append("<D:propstat><D:prop>")
                .append(properties)
                .append("</D:prop><D:status>HTTP/1.1 ")
                .append(status)
                .append("</D:status>")
                .append(more)
                .append("</D:propstat>");
    }

    /** One property; an empty value makes an empty element. */
    static void element(PropertyRequest.Name name, String value, StringBuilder out) {
        String prefix =
                switch (name.namespace()) {
                    case "DAV:" -> "D:";
                    case "http://owncloud.org/ns" -> "oc:";
                    case "LCGDM:" -> "L:";
                    default -> "";
                };
        out.append('<').append(prefix).append(name.local());
        if (prefix.isEmpty()) {
            out.append(" xmlns=\"").append(Xml.escape(name.namespace())).append('"');
        }
        if (value.isEmpty()) {
            out.append("/>");
        } else {
            out.append('>').append(value).append("</").append(prefix).append(name.local());
            out.append('>');
        }
    }

    /** The whole answer of a method of several steps that stopped at one of them. */
    static String ofFailure(FsPath path, int status, String reason) {
        var out = new StringBuilder();
        open(out);
        beginResponse(PercentCoding.encode(path.value()), false, out);
        out.append("<D:status>HTTP/1.1 ")
                .append(HttpResponseStatus.valueOf(status))
                .append("</D:status><D:responsedescription>")
                .append(Xml.escape(reason))
                .append("</D:responsedescription>");
        endResponse(out);
        close(out);
        return out.toString();
    }
}
