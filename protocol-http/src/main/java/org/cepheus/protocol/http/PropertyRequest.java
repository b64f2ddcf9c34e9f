package org.cepheus.protocol.http;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * What a PROPFIND asks for (RFC 4918 section 14.20).
 *
 * @param names the properties asked for by name; empty for allprop and propname
 */
record PropertyRequest(Kind kind, List<Name> names) {
    enum Kind {
        ALL,
        NAMES,
        SOME
    }

    /** The name of a property in its namespace. */
    record Name(String namespace, String local) {}

    static final PropertyRequest ALL = new PropertyRequest(Kind.ALL, List.of());

    PropertyRequest {
        names = List.copyOf(names);
    }

    /**
     * Reads a request body; none means allprop.
     *
     * @throws FsException InvalidArgument if it is no propfind document, TooLong
     */
    static PropertyRequest parse(byte[] body) {
        return body.length == 0
                ? ALL
                : XmlBody.read("PROPFIND", body, "propfind", PropertyRequest::propfind);
    }

    private static PropertyRequest propfind(XmlBody body) throws XMLStreamException {
        PropertyRequest found = null;
        var included = new ArrayList<Name>();
        while (body.nextElement()) {
            if (body.isDav("prop")) {
                found = new PropertyRequest(Kind.SOME, children(body));
            } else if (body.isDav("allprop")) {
                found = ALL;
                body.skip();
            } else if (body.isDav("propname")) {
                found = new PropertyRequest(Kind.NAMES, List.of());
                body.skip();
            } else if (body.isDav("include")) {
                included.addAll(children(body));
            } else {
                body.skip();
            }
        }
        if (found == null) {
            throw body.bad("it asks neither for prop nor for allprop nor for propname");
        }
        return found.kind() == Kind.ALL ? new PropertyRequest(Kind.ALL, included) : found;
    }

    private static List<Name> children(XmlBody body) throws XMLStreamException {
        var names = new ArrayList<Name>();
        while (body.nextElement()) {
            if (names.size() == XmlBody.MAX_NAMES) {
                throw new FsException(
                        new FsError.TooLong(
                                "PROPFIND may ask for %d properties".formatted(XmlBody.MAX_NAMES)));
            }
            names.add(body.name());
            body.skip();
        }
        return names;
    }
}
