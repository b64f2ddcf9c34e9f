package org.cepheus.admin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Cuts a list of rows down to what was asked for: {@code filter} (may stand more than once, all
 * must hold), {@code sort}, and pages by {@code max} and {@code after}. A page's {@code next} names
 * the row that it ended with, so that rows that come and go meanwhile shift nothing.
 *
 * @param name the member of the answer that holds the rows
 * @param members what may be filtered and sorted by
 * @param key the members that together name one row, and the order without {@code sort}
 */
record Listing(String name, Set<String> members, List<String> key) {
    /** The parameters of every list. */
    static final Set<String> QUERY = Set.of(Query.FILTER, "sort", "max", "after");

    /** The most rows of one answer. */
    static final int MAX_ROWS = 10_000;

    static final int DEFAULT_ROWS = 1_000;

    private static final int MAX_FILTERS = 16;
    private static final int MAX_STARS = 4;
    private static final Pattern TERM = Pattern.compile("([A-Za-z]+)(!=|=|<|>)(.*)");
    private static final JsonMapper JSON = new JsonMapper();

    Listing {
        members = Set.copyOf(members);
        key = List.copyOf(key);
    }

    /** The page as a document: the rows, how many match in all, and where to go on. */
    ObjectNode page(List<ObjectNode> all, Query query) {
        List<Term> terms = terms(query);
        Comparator<JsonNode> order = order(query.text("sort"));
        int max = query.number("max", DEFAULT_ROWS, 1, MAX_ROWS);
        List<ObjectNode> matching =
                all.stream()
                        .filter(row -> terms.stream().allMatch(term -> term.holds(row)))
                        .sorted(order)
                        .toList();
        List<ObjectNode> rest =
                query.has("after") ? after(matching, query.required("after"), order) : matching;
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ArrayNode rows = page.putArray(name);
        rest.stream().limit(max).forEach(rows::add);
        page.put("total", matching.size());
        if (rest.size() > max) {
            page.put("next", token(rest.get(max - 1), query.text("sort")));
        }
        return page;
    }

    private List<Term> terms(Query query) {
        List<String> filters = query.all(Query.FILTER);
        Order.require(
                filters.size() <= MAX_FILTERS,
                "%d filters, the limit is %d".formatted(filters.size(), MAX_FILTERS));
        return filters.stream().map(this::term).toList();
    }

    private Term term(String text) {
        Matcher parts = TERM.matcher(text);
        Order.require(
                parts.matches(),
                "the filter '%s' must be MEMBER=VALUE, MEMBER!=VALUE, MEMBER<NUMBER or MEMBER>NUMBER"
                        .formatted(text));
        requireMember(parts.group(1), "filter");
        return Term.of(parts.group(1), parts.group(2), parts.group(3));
    }

    private void requireMember(String member, String parameter) {
        Order.require(
                members.contains(member),
                "'%s' in '%s' is none of %s"
                        .formatted(member, parameter, members.stream().sorted().toList()));
    }

    private Comparator<JsonNode> order(String sort) {
        Comparator<JsonNode> byKey =
                key.stream().map(Listing::by).reduce(Comparator::thenComparing).orElse((_, _) -> 0);
        if (sort.isEmpty()) {
            return byKey;
        }
        String member = memberOf(sort);
        requireMember(member, "sort");
        Comparator<JsonNode> wanted = by(member);
        return (sort.startsWith("-") ? wanted.reversed() : wanted).thenComparing(byKey);
    }

    private static String memberOf(String sort) {
        return sort.startsWith("-") ? sort.substring(1) : sort;
    }

    // Numbers as numbers, everything else as text; what is not there comes last.
    private static Comparator<JsonNode> by(String member) {
        return (a, b) -> {
            JsonNode x = a.path(member);
            JsonNode y = b.path(member);
            if (x.isNumber() && y.isNumber()) {
                return Double.compare(x.doubleValue(), y.doubleValue());
            }
            if (x.isMissingNode() || y.isMissingNode()) {
                return Boolean.compare(x.isMissingNode(), y.isMissingNode());
            }
            return x.asString().compareTo(y.asString());
        };
    }

    private static List<ObjectNode> after(
            List<ObjectNode> sorted, String token, Comparator<JsonNode> order) {
        JsonNode last = last(token);
        return sorted.stream().filter(row -> order.compare(row, last) > 0).toList();
    }

    private static JsonNode last(String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            JsonNode last = JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
            Order.require(last.isObject(), "the parameter 'after' is no 'next' of a page");
            return last;
        } catch (IllegalArgumentException | JacksonException e) {
            throw Order.refusal("the parameter 'after' is no 'next' of a page");
        }
    }

    private String token(ObjectNode row, String sort) {
        var names = new ArrayList<>(key);
        if (!sort.isEmpty()) {
            names.add(memberOf(sort));
        }
        ObjectNode last = JsonNodeFactory.instance.objectNode();
        for (String each : names) {
            if (row.has(each)) {
                last.set(each, row.get(each));
            }
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(last.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** One condition on a row. */
    private sealed interface Term {
        boolean holds(JsonNode row);

        static Term of(String member, String operator, String value) {
            return switch (operator) {
                case "=" -> new Like(member, wildcards(value), true);
                case "!=" -> new Like(member, wildcards(value), false);
                default -> new Beyond(member, number(value), operator.equals(">"));
            };
        }

        // A star stands for any text. The rest is literal.
        private static Pattern wildcards(String value) {
            String[] literals = value.split("\\*", -1);
            Order.require(
                    literals.length <= MAX_STARS + 1,
                    "more than %d stars in 'filter'".formatted(MAX_STARS));
            var pattern = new StringBuilder();
            for (String literal : literals) {
                pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
            }
            return Pattern.compile(pattern.toString(), Pattern.DOTALL);
        }

        private static double number(String value) {
            try {
                return Double.parseDouble(value);
            } catch (NumberFormatException e) {
                throw Order.refusal("'%s' in 'filter' is no number".formatted(value));
            }
        }

        /** Text that matches, or does not. */
        record Like(String member, Pattern value, boolean wanted) implements Term {
            @Override
            public boolean holds(JsonNode row) {
                JsonNode found = row.path(member);
                String text = found.isContainer() ? found.toString() : found.asString("");
                return value.matcher(text).matches() == wanted;
            }
        }

        /** A number above or below; what is not there is neither. */
        record Beyond(String member, double value, boolean above) implements Term {
            @Override
            public boolean holds(JsonNode row) {
                JsonNode found = row.path(member);
                return found.isNumber()
                        && (above ? found.doubleValue() > value : found.doubleValue() < value);
            }
        }
    }
}
