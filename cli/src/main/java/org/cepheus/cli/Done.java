package org.cepheus.cli;

import java.io.PrintWriter;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a command that changed something prints: a sentence for people, a document for scripts. */
final class Done {
    private Done() {}

    /** The document's beginning: one word such as {@code removed}; the things named follow. */
    static ObjectNode document(String word) {
        return JsonNodeFactory.instance.objectNode().put("done", word);
    }

    static void print(ParseResult given, PrintWriter out, String sentence, ObjectNode document) {
        switch (Form.of(given)) {
            case TABLE -> out.println(Table.printable(sentence));
            case JSON -> out.println(document.toPrettyString());
            case KEYS -> out.println(document);
        }
    }
}
