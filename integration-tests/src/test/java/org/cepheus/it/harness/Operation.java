package org.cepheus.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One operation of the OpenAPI document with the statuses that it may be answered with. */
public record Operation(String method, String path, Set<Integer> statuses) {
    /** Where the document is. */
    public static final Path CONTRACT = Tree.ROOT.resolve("admin/src/main/resources/openapi.yaml");

    private static final Pattern PATH = Pattern.compile("^ {2}(/\\S*):$");
    private static final Pattern METHOD = Pattern.compile("^ {4}(get|put|post|patch|delete):$");
    private static final Pattern STATUS = Pattern.compile("^ {8}\"(\\d{3})\":");

    public Operation {
        statuses = Set.copyOf(statuses);
    }

    /** All operations of the document, in its order. */
    public static List<Operation> ofContract() throws IOException {
        var operations = new ArrayList<Operation>();
        var statuses = new HashSet<Integer>();
        String path = "";
        String method = "";
        for (String line : Files.readAllLines(CONTRACT)) {
            Matcher pathLine = PATH.matcher(line);
            Matcher methodLine = METHOD.matcher(line);
            Matcher statusLine = STATUS.matcher(line);
            boolean ends = pathLine.find() || methodLine.find() || line.equals("components:");
            if (ends && !method.isEmpty()) {
                operations.add(new Operation(method, path, statuses));
                statuses.clear();
                method = "";
            }
            if (pathLine.reset().find()) {
                path = pathLine.group(1);
            } else if (methodLine.reset().find()) {
                method = methodLine.group(1).toUpperCase(Locale.ROOT);
            } else if (statusLine.find() && !method.isEmpty()) {
                statuses.add(Integer.valueOf(statusLine.group(1)));
            }
        }
        return operations;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
