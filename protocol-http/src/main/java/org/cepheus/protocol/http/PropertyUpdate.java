package org.cepheus.protocol.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * What a PROPPATCH wants changed (RFC 4918 section 14.19): the last word of the document on each
 * property, as a whole XML element, or absent to remove it.
 */
record PropertyUpdate(Map<PropertyRequest.Name, Optional<String>> changes) {
    PropertyUpdate {
        changes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }

    /**
     * Reads a request body.
     *
     * @throws FsException InvalidArgument if it is no propertyupdate document, TooLong
     */
    static PropertyUpdate parse(byte[] body) {
        return XmlBody.read("PROPPATCH", body, "propertyupdate", PropertyUpdate::propertyUpdate);
    }

    private static PropertyUpdate propertyUpdate(XmlBody body) throws XMLStreamException {
        var changes = new LinkedHashMap<PropertyRequest.Name, Optional<String>>();
        while (body.nextElement()) {
            boolean setting = body.isDav("set");
            if (setting || body.isDav("remove")) {
                String language = body.language();
                while (body.nextElement()) {
                    if (body.isDav("prop")) {
                        properties(body, setting, language, changes);
                    } else {
                        body.skip();
                    }
                }
            } else {
                body.skip();
            }
        }
        if (changes.isEmpty()) {
            throw body.bad("it sets nothing and removes nothing");
        }
        return new PropertyUpdate(changes);
    }

    private static void properties(
            XmlBody body,
            boolean setting,
            String outerLanguage,
            Map<PropertyRequest.Name, Optional<String>> changes)
            throws XMLStreamException {
        String language = body.language().isEmpty() ? outerLanguage : body.language();
        while (body.nextElement()) {
            PropertyRequest.Name name = body.name();
            changes.remove(name);
            if (setting) {
                changes.put(name, Optional.of(body.copy(language)));
            } else {
                changes.put(name, Optional.empty());
                body.skip();
            }
            if (changes.size() > DeadProperties.MAX_CHANGES) {
                throw new FsException(
                        new FsError.TooLong(
                                "PROPPATCH may change %d properties"
                                        .formatted(DeadProperties.MAX_CHANGES)));
            }
        }
    }
}
