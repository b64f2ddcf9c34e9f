package org.cepheus.admin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.OnceKey;

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
     * @param headers finds one by its name
     * @param once the Idempotency-Key and what it came with
     */
    record Request(
            Map<String, String> segments,
            Query query,
            String body,
            Caller caller,
            Function<String, Optional<String>> headers,
            Optional<OnceKey> once) {
        Request {
            segments = Map.copyOf(segments);
        }

        /** As it comes from the client. */
        Request(
                Query query,
                String body,
                Caller caller,
                Function<String, Optional<String>> headers) {
            this(Map.of(), query, body, caller, headers, Optional.empty());
        }

        /**
         * As a route sees it.
         *
         * @throws FsException InvalidArgument for a key that is none
         */
        Request at(String operation, Map<String, String> found) {
            return new Request(
                    found,
                    query,
                    body,
                    caller,
                    headers,
                    headers.apply("Idempotency-Key").map(key -> Changes.key(key, operation, this)));
        }

        String segment(String name) {
            return segments.getOrDefault(name, "");
        }

        /**
         * A number in the path.
         *
         * @throws FsException NotFound if it is none
         */
        long number(String name) {
            try {
                return Long.parseLong(segment(name));
            } catch (NumberFormatException e) {
                throw new FsException(
                        new FsError.NotFound("there is no %s '%s'".formatted(name, segment(name))));
            }
        }

        /** The same where only an int can be meant. */
        int smallNumber(String name) {
            long number = number(name);
            if (number < 0 || number > Integer.MAX_VALUE) {
                throw new FsException(
                        new FsError.NotFound("there is no %s %d".formatted(name, number)));
            }
            return (int) number;
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
