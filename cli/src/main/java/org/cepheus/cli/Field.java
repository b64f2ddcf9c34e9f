package org.cepheus.cli;

import java.io.PrintWriter;

/** One named value on a line of its own. */
final class Field {
    private Field() {}

    static void print(PrintWriter out, String name, String value) {
        out.println(Table.printable("%-10s %s".formatted(name, value)));
    }
}
