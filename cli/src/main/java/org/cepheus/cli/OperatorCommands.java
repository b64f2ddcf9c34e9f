package org.cepheus.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The commands that ask a running server: {@code status}, {@code ls}, {@code quota set}, … */
public final class OperatorCommands {
    private OperatorCommands() {}

    /**
     * Each with its options, ready to hang under the program's name.
     *
     * @param terminal what the person sees and types at
     */
    public static List<CommandSpec> all(Terminal terminal) {
        var sessions = new SessionCommands(terminal);
        var fleet = new FleetCommands(terminal);
        var changes = new ChangeCommands(terminal);
        return List.of(
                new StatusCommand(terminal).spec(),
                new HealthCommand(terminal).spec(),
                new TopCommand(terminal).spec(),
                new NamespaceCommands(terminal).ls(),
                new NamespaceCommands(terminal).stat(),
                new FindCommand(terminal).spec(),
                new DuCommand(terminal).spec(),
                ChecksumCommand.spec(),
                new AttrCommands(terminal).attr(),
                changes.mkdir(),
                changes.mv(),
                changes.rm(),
                new QuotaCommands(terminal).quota(),
                sessions.transfer(),
                sessions.session(),
                fleet.space(),
                fleet.fs(),
                fleet.node(),
                new EventsCommand(terminal).events(),
                CompletionCommand.spec());
    }
}
