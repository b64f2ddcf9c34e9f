package org.cepheus.admin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.cepheus.domain.Caller;

/**
 * One method of one path.
 *
 * @param path as in openapi.yaml; a segment in braces stands for any one
 * @param query the parameters it knows
 */
record Route(String method, String path, Set<String> query, Action action) {
    /** Answers a request, or throws an FsException. */
    interface Action {
        Answer answer(Request request);
    }

    /**
     * One request that may be answered.
     *
     * @param segments what stands for the braces of the path
     * @param onceKey the Idempotency-Key
     */
    record Request(
            Map<String, String> segments,
            Query query,
            String body,
            Caller caller,
            Optional<String> onceKey) {
        Request {
            segments = Map.copyOf(segments);
        }

        Request with(Map<String, String> found) {
            return new Request(found, query, body, caller, onceKey);
        }

        String segment(String name) {
            return segments.getOrDefault(name, "");
        }

        /** A number in the path; empty if it is none. */
        OptionalLong number(String name) {
            try {
                return OptionalLong.of(Long.parseLong(segment(name)));
            } catch (NumberFormatException e) {
                return OptionalLong.empty();
            }
        }
    }

    Route {
        query = Set.copyOf(query);
    }

    static Route of(String method, String path, Action action, String... query) {
        return new Route(method, RestApi.PREFIX + path, Set.of(query), action);
    }

    /** A route that answers a {@link Listing}, with some parameters more. */
    static Route list(String path, Action action, String... more) {
        var query = new HashSet<>(Listing.QUERY);
        query.addAll(List.of(more));
        return new Route("GET", RestApi.PREFIX + path, query, action);
    }

    boolean changes() {
        return !method.equals("GET");
    }

    /** What stands for the braces, if this route is of that path. */
    Optional<Map<String, String>> match(String wanted) {
        String[] mine = path.split("/", -1);
        String[] other = wanted.split("/", -1);
        if (mine.length != other.length) {
            return Optional.empty();
        }
        var found = new HashMap<String, String>();
        for (int i = 0; i < mine.length; i++) {
            if (mine[i].startsWith("{") && !other[i].isEmpty()) {
                found.put(mine[i].substring(1, mine[i].length() - 1), other[i]);
            } else if (!mine[i].equals(other[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }
}
