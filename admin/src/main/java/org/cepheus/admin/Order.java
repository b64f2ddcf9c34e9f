package org.cepheus.admin;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON body of a request to change something; a member that is not known is refused. */
final class Order {
    private static final Pattern MODE = Pattern.compile("[0-7]{3,4}");
    private static final JsonMapper JSON = new JsonMapper();

    private final JsonNode body;

    private Order(JsonNode body) {
        this.body = body;
    }

    /**
     * Reads a body.
     *
     * @throws FsException InvalidArgument if it is no JSON object, or has members that are not
     *     among the known
     */
    static Order read(String body, Set<String> members) {
        JsonNode order = parse(body);
        for (String name : order.propertyNames()) {
            require(
                    members.contains(name),
                    "the member '%s' is not known here; known are %s"
                            .formatted(name, new TreeSet<>(members)));
        }
        return new Order(order);
    }

    private static JsonNode parse(String body) {
        try {
            JsonNode order = JSON.readTree(body);
            require(order.isObject(), "the body must be a JSON object");
            return order;
        } catch (JacksonException e) {
            throw refusal("the body is no JSON: " + e.getOriginalMessage());
        }
    }

    boolean has(String name) {
        return body.has(name);
    }

    JsonNode get(String name) {
        return body.path(name);
    }

    /** A text that has to be there. */
    String text(String name) {
        JsonNode found = body.path(name);
        require(found.isString(), "the member '%s' must be a text".formatted(name));
        return found.stringValue();
    }

    Optional<String> optionalText(String name) {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    FsPath path(String name) {
        return FsPath.parse(text(name));
    }

    /** False if it is not there. */
    boolean flag(String name) {
        JsonNode found = body.path(name);
        require(
                found.isMissingNode() || found.isBoolean(),
                "the member '%s' must be true or false".formatted(name));
        return found.isBoolean() && found.booleanValue();
    }

    /** Permission bits in octal digits. */
    int mode(String name) {
        String digits = text(name);
        require(
                MODE.matcher(digits).matches(),
                "the member '%s' must be three or four octal digits, is '%s'"
                        .formatted(name, digits));
        return Integer.parseInt(digits, 8);
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw refusal(otherwise);
        }
    }

    static FsException refusal(String sentence) {
        return new FsException(new FsError.InvalidArgument(sentence));
    }
}
