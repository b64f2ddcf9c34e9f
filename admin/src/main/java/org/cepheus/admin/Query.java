package org.cepheus.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;

/** The query of one request; what a route does not know is refused, so that no typo is silent. */
record Query(Map<String, List<String>> values) {
    /** The only parameter that may stand more than once. */
    static final String FILTER = "filter";

    Query {
        var copy = new HashMap<String, List<String>>();
        values.forEach((name, each) -> copy.put(name, List.copyOf(each)));
        values = Map.copyOf(copy);
    }

    void allowOnly(Set<String> names) {
        for (String name : new TreeSet<>(values.keySet())) {
            if (!names.contains(name)) {
                throw refusal(
                        "the query parameter '%s' is not known here; known are %s"
                                .formatted(name, new TreeSet<>(names)));
            }
            if (values.getOrDefault(name, List.of()).size() > 1 && !name.equals(FILTER)) {
                throw refusal("the query parameter '%s' is there twice".formatted(name));
            }
        }
    }

    FsPath path() {
        return FsPath.parse(required("path"));
    }

    /** The value of a parameter that has to be there. */
    String required(String name) {
        List<String> found = all(name);
        if (found.isEmpty()) {
            throw refusal("the query parameter '%s' is missing".formatted(name));
        }
        return found.getFirst();
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Empty if it is not there. */
    String text(String name) {
        return has(name) ? required(name) : "";
    }

    int number(String name, int fallback, int min, int max) {
        if (!has(name)) {
            return fallback;
        }
        String raw = required(name);
        try {
            int number = Integer.parseInt(raw);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same answer as for a number out of range.
        }
        throw refusal(
                "the query parameter '%s' must be %d..%d, is '%s'".formatted(name, min, max, raw));
    }

    private static FsException refusal(String sentence) {
        return new FsException(new FsError.InvalidArgument(sentence));
    }
}
