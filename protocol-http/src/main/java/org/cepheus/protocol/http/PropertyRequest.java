package org.cepheus.protocol.http;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * What a PROPFIND asks for (RFC 4918 section 14.20).
 *
 * @param names the properties asked for; all known ones for allprop and propname
 */
record PropertyRequest(Kind kind, List<Name> names) {
    static final int MAX_BODY_BYTES = 64 * 1024;

    /** More properties than this are no honest question. */
    private static final int MAX_NAMES = 200;

    enum Kind {
        ALL,
        NAMES,
        SOME
    }

    /** The name of a property in its namespace. */
    record Name(String namespace, String local) {}

    static final PropertyRequest ALL = new PropertyRequest(Kind.ALL, List.of());

    /**
     * Reads a request body; none means allprop.
     *
     * @throws FsException InvalidArgument if it is no propfind document, TooLong
     */
    static PropertyRequest parse(byte[] body) {
        if (body.length == 0) {
            return ALL;
        }
        try {
            XMLStreamReader reader =
                    factory().createXMLStreamReader(new ByteArrayInputStream(body));
            PropertyRequest request = document(reader);
            while (reader.hasNext()) {
                reader.next();
            }
            return request;
        } catch (XMLStreamException e) {
            throw bad("it is no well-formed XML: " + firstLine(e));
        }
    }

    /** No document type, no entities, nothing fetched. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        return factory;
    }

    private static PropertyRequest document(XMLStreamReader reader) throws XMLStreamException {
        nextElement(reader);
        if (!isDav(reader, "propfind")) {
            throw bad("its root is not propfind in the namespace DAV:");
        }
        PropertyRequest found = null;
        while (nextElement(reader)) {
            if (isDav(reader, "prop")) {
                found = new PropertyRequest(Kind.SOME, children(reader));
            } else if (isDav(reader, "allprop")) {
                found = ALL;
                skip(reader);
            } else if (isDav(reader, "propname")) {
                found = new PropertyRequest(Kind.NAMES, List.of());
                skip(reader);
            } else {
                skip(reader);
            }
        }
        if (found == null) {
            throw bad("it asks neither for prop nor for allprop nor for propname");
        }
        return found;
    }

    private static List<Name> children(XMLStreamReader reader) throws XMLStreamException {
        var names = new ArrayList<Name>();
        while (nextElement(reader)) {
            if (names.size() == MAX_NAMES) {
                throw new FsException(
                        new FsError.TooLong(
                                "PROPFIND may ask for %d properties".formatted(MAX_NAMES)));
            }
            names.add(
                    new Name(
                            Objects.requireNonNullElse(reader.getNamespaceURI(), ""),
                            reader.getLocalName()));
            skip(reader);
        }
        return names;
    }

    /** Goes to the next child of the current element; false at its end. */
    private static boolean nextElement(XMLStreamReader reader) throws XMLStreamException {
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT -> {
                    return false;
                }
                case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw bad("document types and entities are not read");
                default -> {}
            }
        }
        return false;
    }

    private static void skip(XMLStreamReader reader) throws XMLStreamException {
        int depth = 1;
        while (depth > 0) {
            depth += nextElement(reader) ? 1 : -1;
        }
    }

    private static boolean isDav(XMLStreamReader reader, String local) {
        return reader.isStartElement()
                && "DAV:".equals(reader.getNamespaceURI())
                && local.equals(reader.getLocalName());
    }

    private static String firstLine(XMLStreamException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static FsException bad(String why) {
        return new FsException(
                new FsError.InvalidArgument("the body of PROPFIND cannot be read: " + why));
    }
}
