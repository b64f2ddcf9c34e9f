package org.cepheus.jmh.core;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * One measured number, as a line of JSON for the table.
 *
 * @param beside what it is compared with, if anything
 * @param must what it has to reach, as the table shows it; empty for nothing
 */
record Figure(
        String what,
        double value,
        OptionalDouble beside,
        String unit,
        String must,
        boolean passed,
        String note) {

    /** A number that has no limit. */
    static Figure seen(String what, double value, String unit) {
        return new Figure(what, value, OptionalDouble.empty(), unit, "", true, "");
    }

    static Figure atMost(String what, double value, String unit, double limit) {
        String must = String.format(Locale.ROOT, "<= %.0f", limit);
        return new Figure(what, value, OptionalDouble.empty(), unit, must, value <= limit, "");
    }

    /** A rate that has to come near another one. */
    static Figure atLeast(String what, double value, double ratio, double beside, String unit) {
        String must = String.format(Locale.ROOT, ">= %.1f x", ratio);
        boolean passed = value >= ratio * beside;
        return new Figure(what, value, OptionalDouble.of(beside), unit, must, passed, "");
    }

    Figure noted(String words) {
        return new Figure(what, value, beside, unit, must, passed, words);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"what\": \"%s\", \"value\": %.3f, \"beside\": %s, \"unit\": \"%s\", \"must\": \"%s\","
                        + " \"passed\": %s, \"note\": \"%s\"}",
                what,
                value,
                beside.isPresent()
                        ? String.format(Locale.ROOT, "%.3f", beside.getAsDouble())
                        : "null",
                unit,
                must,
                must.isEmpty() ? "null" : Boolean.toString(passed),
                note);
    }
}
