package org.cepheus.app;

import java.io.PrintWriter;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;

/** Runs one server until the process is told to end. */
final class Servers {
    private Servers() {}

    static int runMgm(MgmFile config, PrintWriter out) {
        throw new CommandFailure(ExitCode.FAILED, "an MGM cannot be started yet: " + config.data());
    }

    static int runFst(FstFile config, PrintWriter out) {
        throw new CommandFailure(ExitCode.FAILED, "an FST cannot be started yet: " + config.id());
    }
}
