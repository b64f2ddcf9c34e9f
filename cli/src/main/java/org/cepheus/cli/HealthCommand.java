package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus health}: what is wrong, and what to do about it. */
final class HealthCommand {
    private static final Listing CHECKS =
            new Listing(
                    "checks",
                    List.of(
                            Column.state("status", "status", "status"),
                            Column.text("check", "name", "name"),
                            Column.text("code", "code", "code"),
                            Column.text("finding", "message", "message"),
                            Column.text("what to do", "advice", "advice")));

    private final Terminal terminal;

    HealthCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        return CommandTree.examples(
                Listing.addTo(
                        CommandTree.command(
                                "health",
                                "Show every health check of the member that is asked, with what to do. Ends with 1 if one"
                                        + " found an error; warnings end with 0.",
                                Watch.asking(terminal, this::show))),
                "cepheus health",
                "cepheus health --filter status=warn,error",
                "cepheus health -m | grep status=error");
    }

    private int show(ParseResult given, AdminClient client, PrintWriter out) {
        JsonNode report = client.report("/health");
        String status = report.path("status").asString();
        if (Form.of(given) == Form.TABLE) {
            Cell cell = Column.state(status);
            out.println("health: " + cell.tone().paint(status, terminal.hasColours()));
            out.println();
        }
        CHECKS.print(given, report, out, terminal.hasColours());
        return status.equals("error") ? ExitCode.FAILED : ExitCode.OK;
    }
}
