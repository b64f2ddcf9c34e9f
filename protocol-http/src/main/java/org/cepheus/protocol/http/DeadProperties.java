package org.cepheus.protocol.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;

/**
 * Properties that clients set and this server only keeps: extended attributes named {@code
 * user.dav.{namespace}local}, whose value is the property's whole XML element. Their limits are
 * those of attributes.
 */
final class DeadProperties {
    /** The most properties that one request changes. */
    static final int MAX_CHANGES = Mutation.MAX_CHANGES;

    private static final String PREFIX = "user.dav.{";
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_VALUE_BYTES = 64 * 1024;

    private DeadProperties() {}

    /** The attribute that keeps a property. */
    static String attribute(PropertyRequest.Name name) {
        return PREFIX + name.namespace() + "}" + name.local();
    }

    /** Why this server cannot keep it so, if it cannot. */
    static Optional<FsError> refusal(PropertyRequest.Name name, Optional<String> element) {
        int nameBytes = attribute(name).getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes > MAX_NAME_BYTES) {
            return Optional.of(
                    new FsError.TooLong(
                            "the property's namespace and name have %d bytes too many"
                                    .formatted(nameBytes - MAX_NAME_BYTES)));
        }
        int valueBytes = element.map(e -> e.getBytes(StandardCharsets.UTF_8).length).orElse(0);
        return valueBytes <= MAX_VALUE_BYTES
                ? Optional.empty()
                : Optional.of(
                        new FsError.TooLong(
                                "the property has %d bytes, the limit is %d"
                                        .formatted(valueBytes, MAX_VALUE_BYTES)));
    }

    /** The change of attributes that does what the client wants. */
    static List<Mutation.AttributeChange> changes(PropertyUpdate update) {
        var changes = new ArrayList<Mutation.AttributeChange>();
        update.changes()
                .forEach((name, element) ->
                        changes.add(
                                new Mutation.AttributeChange(
                                        attribute(name), element.map(DeadProperties::bytes))));
        return changes;
    }

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Those among the attributes that are properties, by name. */
    static void each(Map<String, Bytes> attributes, BiConsumer<PropertyRequest.Name, Bytes> taker) {
        attributes.forEach((attribute, value) -> {
            int end = attribute.lastIndexOf('}');
            if (attribute.startsWith(PREFIX) && end > 0 && isName(attribute, end + 1)) {
                String namespace = attribute.substring(PREFIX.length(), end);
                taker.accept(
                        new PropertyRequest.Name(namespace, attribute.substring(end + 1)), value);
            }
        });
    }

    /** Attributes can be set by other protocols, too, with names that XML does not have. */
    private static boolean isName(String text, int from) {
        if (from == text.length() || !isNameStart(text.charAt(from))) {
            return false;
        }
        for (int i = from + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isNameStart(c) && c != '-' && c != '.' && (c < '0' || c > '9') && c != 0xb7) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNameStart(char c) {
        return c == '_' || Character.isLetter(c);
    }

    /**
     * The property's element as it was set. A value that is no such element was not set by
     * PROPPATCH: it is shown as text.
     */
    static String element(PropertyRequest.Name name, Bytes value) {
        String text = new String(value.toArray(), StandardCharsets.UTF_8);
        try {
            String document = "<p xmlns=\"DAV:\">" + text + "</p>";
            boolean same =
                    XmlBody.read(
                            "PROPFIND",
                            document.getBytes(StandardCharsets.UTF_8),
                            "p",
                            body -> {
                                boolean first = body.nextElement() && body.name().equals(name);
                                if (first) {
                                    body.skip();
                                }
                                return first && !body.nextElement();
                            });
            if (same && text.startsWith("<") && text.endsWith(">")) {
                return text;
            }
        } catch (FsException notXml) {
            // Shown as text below.
        }
        return "<%s xmlns=\"%s\">%s</%s>"
                .formatted(
                        name.local(), Xml.escape(name.namespace()), Xml.escape(text), name.local());
    }
}
