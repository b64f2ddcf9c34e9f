package org.cepheus.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** Which rows of a listing are shown, and in which order: {@code --filter} and {@code --sort}. */
record Selection(List<String> filters, Optional<String> sort, boolean isReversed) {
    private static final Pattern CONDITION =
            Pattern.compile("([A-Za-z][A-Za-z0-9 ._%\\[\\]-]*?)(!=|>=|<=|=|~|>|<)(.*)");

    Selection {
        filters = List.copyOf(filters);
    }

    static CommandSpec addTo(CommandSpec command) {
        return addFilterTo(command)
                .addOption(
                        OptionSpec.builder("--sort")
                                .type(String.class)
                                .paramLabel("COLUMN")
                                .description("Order the rows by a column.")
                                .build())
                .addOption(
                        OptionSpec.builder("--reverse")
                                .description("The largest of --sort first.")
                                .build());
    }

    /** For listings that are printed while they come, and so keep their order. */
    static CommandSpec addFilterTo(CommandSpec command) {
        return command.addOption(
                OptionSpec.builder("--filter")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel("WHAT")
                        .description(
                                "Only rows with this text, or one of a,b,c; or where COLUMN=TEXT (or one of A,B) holds, or !=, ~"
                                        + " (contains), <, <=, >, >=. Columns have the names of the table or of -m,"
                                        + " sizes may have units. All of several must hold.")
                        .build());
    }

    static Selection of(ParseResult given) {
        return new Selection(
                given.matchedOptionValue("--filter", List.of()),
                Optional.ofNullable(given.matchedOptionValue("--sort", null)),
                given.hasMatchedOption("--reverse"));
    }

    /** The rows to show. */
    List<JsonNode> of(List<Column> columns, Iterable<JsonNode> rows) {
        Predicate<JsonNode> wanted = wanted(columns);
        var kept = new ArrayList<JsonNode>();
        for (JsonNode row : rows) {
            if (wanted.test(row)) {
                kept.add(row);
            }
        }
        sort.ifPresent(word -> kept.sort(order(column(columns, word))));
        return kept;
    }

    private Comparator<JsonNode> order(Column column) {
        Comparator<JsonNode> order =
                (one, other) ->
                        compare(column.cell().apply(one).raw(), column.cell().apply(other).raw());
        return isReversed ? order.reversed() : order;
    }

    /** All conditions of {@code --filter} in one. */
    Predicate<JsonNode> wanted(List<Column> columns) {
        Predicate<JsonNode> all = row -> true;
        for (String filter : filters) {
            all = all.and(condition(columns, filter));
        }
        return all;
    }

    private static Predicate<JsonNode> condition(List<Column> columns, String filter) {
        Matcher matcher = CONDITION.matcher(filter);
        if (!matcher.matches()) {
            List<String> words =
                    Stream.of(filter.toLowerCase(Locale.ROOT).split(",", -1))
                            .filter(word -> !word.isEmpty())
                            .toList();
            return row -> columns.stream().anyMatch(column -> hasOne(column, row, words));
        }
        Column column = column(columns, matcher.group(1).strip());
        String operator = matcher.group(2);
        String value = matcher.group(3);
        return row -> holds(column.cell().apply(row), operator, value);
    }

    private static boolean hasOne(Column column, JsonNode row, List<String> words) {
        Cell cell = column.cell().apply(row);
        String all = (cell.shown() + " " + cell.raw()).toLowerCase(Locale.ROOT);
        return words.stream().anyMatch(all::contains);
    }

    private static Column column(List<Column> columns, String word) {
        return columns.stream()
                .filter(column -> column.isCalled(word))
                .findFirst()
                .orElseThrow(() ->
                        new CommandFailure(
                                ExitCode.USAGE,
                                "there is no column '%s'; there are %s"
                                        .formatted(
                                                word,
                                                columns.stream()
                                                        .map(c ->
                                                                c.key().isEmpty()
                                                                        ? c.head()
                                                                        : c.key())
                                                        .collect(Collectors.joining(", ")))));
    }

    private static boolean holds(Cell cell, String operator, String value) {
        return switch (operator) {
            case "=" -> isOneOf(cell, value);
            case "!=" -> !isOneOf(cell, value);
            case "~" -> cell.raw().contains(value) || cell.shown().contains(value);
            case "<" -> !cell.raw().isEmpty() && compare(cell.raw(), value) < 0;
            case "<=" -> !cell.raw().isEmpty() && compare(cell.raw(), value) <= 0;
            case ">" -> !cell.raw().isEmpty() && compare(cell.raw(), value) > 0;
            case ">=" -> !cell.raw().isEmpty() && compare(cell.raw(), value) >= 0;
            default -> throw new IllegalStateException(operator);
        };
    }

    private static boolean isOneOf(Cell cell, String values) {
        return Stream.of(values.split(",", -1))
                .anyMatch(value -> cell.raw().equals(value) || cell.shown().equals(value));
    }

    /** As numbers if both are some, with or without a unit of bytes. */
    private static int compare(String one, String other) {
        Optional<BigDecimal> left = number(one);
        Optional<BigDecimal> right = number(other);
        return left.isPresent() && right.isPresent()
                ? left.get().compareTo(right.get())
                : one.compareTo(other);
    }

    private static Optional<BigDecimal> number(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return ByteCount.read(text).map(BigDecimal::valueOf);
        }
    }
}
