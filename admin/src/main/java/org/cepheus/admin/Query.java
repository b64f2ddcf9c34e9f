package org.cepheus.admin;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;

/** The query of one request; what a route does not know is refused, so that no typo is silent. */
record Query(Map<String, String> values) {
    Query {
        values = Map.copyOf(values);
    }

    void allowOnly(Set<String> names) {
        for (String name : new TreeSet<>(values.keySet())) {
            if (!names.contains(name)) {
                throw new FsException(
                        new FsError.InvalidArgument(
                                "the query parameter '%s' is not known here; known are %s"
                                        .formatted(name, new TreeSet<>(names))));
            }
        }
    }

    FsPath path() {
        String raw = values.get("path");
        if (raw == null) {
            throw new FsException(
                    new FsError.InvalidArgument("the query parameter 'path' is missing"));
        }
        return FsPath.parse(raw);
    }

    String text(String name) {
        return values.getOrDefault(name, "");
    }

    int number(String name, int fallback, int min, int max) {
        String raw = values.get(name);
        if (raw == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(raw);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same answer as for a number out of range.
        }
        throw new FsException(
                new FsError.InvalidArgument(
                        "the query parameter '%s' must be %d..%d, is '%s'"
                                .formatted(name, min, max, raw)));
    }
}
