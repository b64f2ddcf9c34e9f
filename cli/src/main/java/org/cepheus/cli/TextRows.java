package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Rows of texts that do not come from a server, in the forms that every listing has. */
public final class TextRows {
    private TextRows() {}

    /** Adds the options of a listing. */
    public static CommandSpec addTo(CommandSpec command) {
        return Selection.addTo(Form.addKeys(Form.addJson(command)));
    }

    /** Whether the rows are for reading, and not for a script. */
    public static boolean isForPeople(ParseResult given) {
        return Form.of(given) == Form.TABLE;
    }

    /**
     * Prints the rows that the options ask for, in the form they ask for.
     *
     * @param member the name of the list in JSON
     * @param names of the columns, in all forms; each row has one text for each of them
     */
    public static void print(
            ParseResult given,
            PrintWriter out,
            Terminal terminal,
            String member,
            List<String> names,
            List<List<String>> rows) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode list = document.putArray(member);
        for (List<String> row : rows) {
            ObjectNode node = list.addObject();
            for (int i = 0; i < names.size(); i++) {
                node.put(names.get(i), row.get(i));
            }
        }
        List<Column> columns = names.stream().map(each -> Column.text(each, each, each)).toList();
        new Listing(member, columns).print(given, document, out, terminal.hasColours());
    }
}
