package org.cepheus.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** As much of openapi.yaml as a test needs: its operations, and every word before a colon. */
record Contract(List<String> operations, Set<String> words) {
    private static final Pattern PATH = Pattern.compile("^ {2}(/\\S*):$");
    private static final Pattern METHOD = Pattern.compile("^ {4}(get|put|post|patch|delete):$");
    private static final Pattern WORD = Pattern.compile("^ *([A-Za-z0-9]+):");

    static Contract read() throws IOException {
        try (var yaml = AdminServer.class.getResourceAsStream("/openapi.yaml")) {
            byte[] bytes = Objects.requireNonNull(yaml).readAllBytes();
            return of(Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\n", -1)));
        }
    }

    private static Contract of(List<String> lines) {
        var operations = new ArrayList<String>();
        var words = new HashSet<String>();
        String path = "";
        for (String line : lines) {
            Matcher pathLine = PATH.matcher(line);
            Matcher methodLine = METHOD.matcher(line);
            Matcher word = WORD.matcher(line);
            if (pathLine.find()) {
                path = pathLine.group(1);
            } else if (methodLine.find()) {
                operations.add(methodLine.group(1).toUpperCase(Locale.ROOT) + " " + path);
            }
            if (word.find()) {
                words.add(word.group(1));
            }
        }
        return new Contract(operations, words);
    }

    /** The names of all members at any depth, but not the types of checksums. */
    static Set<String> membersOf(JsonNode node) {
        var names = new HashSet<String>();
        for (var member : node.properties()) {
            names.add(member.getKey());
            if (!member.getKey().equals("checksums")) {
                names.addAll(membersOf(member.getValue()));
            }
        }
        if (node.isArray()) {
            node.forEach(each -> names.addAll(membersOf(each)));
        }
        return names;
    }
}
