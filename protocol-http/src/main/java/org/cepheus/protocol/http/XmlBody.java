package org.cepheus.protocol.http;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** The XML body of a request, read once from front to back: no document type, no entities. */
final class XmlBody {
    /** The most bytes of such a body. */
    static final int MAX_BYTES = 64 * 1024;

    /** More properties than this are no honest request. */
    static final int MAX_NAMES = 200;

    /** Elements inside each other beyond this are no honest value. */
    private static final int MAX_DEPTH = 64;

    private static final String DAV = "DAV:";

    private final String method;
    private final XMLStreamReader reader;

    private XmlBody(String method, XMLStreamReader reader) {
        this.method = method;
        this.reader = reader;
    }

    /** Reads one element and what is in it. */
    interface Reading<T> {
        T read(XmlBody body) throws XMLStreamException;
    }

    /**
     * Reads a whole body whose root is that element of the namespace DAV.
     *
     * @throws FsException InvalidArgument, TooLong
     */
    static <T> T read(String method, byte[] bytes, String root, Reading<T> reading) {
        try {
            var body =
                    new XmlBody(
                            method,
                            factory().createXMLStreamReader(new StringReader(text(method, bytes))));
            if (!body.nextElement() || !body.isDav(root)) {
                throw body.bad("its root is not %s in the namespace DAV:".formatted(root));
            }
            T result = reading.read(body);
            while (body.reader.hasNext()) {
                body.reader.next();
            }
            return result;
        } catch (XMLStreamException e) {
            throw refusal(method, "it is no well-formed XML: " + firstLine(e));
        }
    }

    /**
     * UTF-8, or UTF-16 with its mark (RFC 4918 section 19). The JDK's parser writes to the standard
     * error of the process when it meets bytes that are neither.
     */
    private static String text(String method, byte[] body) {
        boolean wide = body.length > 1 && (body[0] & 0xfe) == 0xfe && (body[0] ^ body[1]) == 1;
        Charset charset = wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
        try {
            String text =
                    charset.newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(body))
                            .toString();
            return text.startsWith("\ufeff") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw refusal(method, "it is not written in " + charset);
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        return factory;
    }

    private static String firstLine(XMLStreamException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    /** Goes to the next child of the current element; false at its end. */
    boolean nextElement() throws XMLStreamException {
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

    /** Goes to the end of the current element. */
    void skip() throws XMLStreamException {
        int depth = 1;
        while (depth > 0) {
            depth += nextElement() ? 1 : -1;
        }
    }

    boolean isDav(String local) {
        return reader.isStartElement()
                && DAV.equals(reader.getNamespaceURI())
                && local.equals(reader.getLocalName());
    }

    /** The name of the current element. */
    PropertyRequest.Name name() {
        return new PropertyRequest.Name(
                Objects.requireNonNullElse(reader.getNamespaceURI(), ""), reader.getLocalName());
    }

    /** The language that the current element declares; empty for none. */
    String language() {
        return Objects.requireNonNullElse(
                reader.getAttributeValue("http://www.w3.org/XML/1998/namespace", "lang"), "");
    }

    /**
     * The current element with all that is in it, as XML that needs nothing from around it; goes to
     * its end.
     *
     * @param language of the elements around it, kept unless it has its own
     */
    String copy(String language) throws XMLStreamException {
        var out = new StringBuilder();
        open(out, language().isEmpty() ? language : "");
        for (int depth = 1; depth > 0; ) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > MAX_DEPTH) {
                        throw bad("elements are nested deeper than " + MAX_DEPTH);
                    }
                    open(out, "");
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    out.append("</").append(qualified(reader.getPrefix(), reader.getLocalName()));
                    out.append('>');
                }
                case XMLStreamConstants.CHARACTERS,
                        XMLStreamConstants.CDATA,
                        XMLStreamConstants.SPACE ->
                        out.append(Xml.escape(reader.getText()));
                case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw bad("document types and entities are not read");
                default -> {}
            }
        }
        return out.toString();
    }

    private void open(StringBuilder out, String language) {
        out.append('<').append(qualified(reader.getPrefix(), reader.getLocalName()));
        declare(out, reader.getPrefix(), reader.getNamespaceURI());
        if (!language.isEmpty()) {
            out.append(" xml:lang=\"").append(Xml.escape(language)).append('"');
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String prefix = reader.getAttributePrefix(i);
            if (prefix != null
                    && !prefix.isEmpty()
                    && !prefix.equals("xml")
                    && !prefix.equals(reader.getPrefix())
                    && isFirst(i, prefix)) {
                declare(out, prefix, reader.getAttributeNamespace(i));
            }
            out.append(' ')
                    .append(qualified(prefix, reader.getAttributeLocalName(i)))
                    .append("=\"")
                    .append(Xml.escape(reader.getAttributeValue(i)))
                    .append('"');
        }
        out.append('>');
    }

    private boolean isFirst(int attribute, String prefix) {
        for (int i = 0; i < attribute; i++) {
            if (prefix.equals(reader.getAttributePrefix(i))) {
                return false;
            }
        }
        return true;
    }

    private static void declare(
            StringBuilder out,
            @org.jspecify.annotations.Nullable String prefix,
            @org.jspecify.annotations.Nullable String namespace) {
        out.append(prefix == null || prefix.isEmpty() ? " xmlns" : " xmlns:" + prefix)
                .append("=\"")
                .append(Xml.escape(Objects.requireNonNullElse(namespace, "")))
                .append('"');
    }

    private static String qualified(
            @org.jspecify.annotations.Nullable String prefix, String local) {
        return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
    }

    FsException bad(String why) {
        return refusal(method, why);
    }

    private static FsException refusal(String method, String why) {
        return new FsException(
                new FsError.InvalidArgument(
                        "the body of %s cannot be read: %s".formatted(method, why)));
    }
}
