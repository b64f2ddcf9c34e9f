package org.cepheus.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The commands that ask a running server: {@code status}, {@code ls}, {@code quota set}, … */
public final class OperatorCommands {
    private OperatorCommands() {}

    /** Each with its options, ready to hang under the program's name. */
    public static List<CommandSpec> all() {
        return List.of(
                StatusCommand.spec(),
                NamespaceCommands.ls(),
                NamespaceCommands.stat(),
                TransferCommands.transfer(),
                QuotaCommands.quota());
    }
}
