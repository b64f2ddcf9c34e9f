package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;

/** A whole cluster in one process: one MGM, two FSTs, two volumes, for this machine only. */
final class Up {
    private Up() {}

    static int run(Path directory, Ports ports, PrintWriter out) throws Exception {
        ports.refuseTaken();
        try (var data = DataDirectory.open(directory)) {
            ServerLog.toFile(data.log());
            ClientFile.write(data, ports);
            throw new CommandFailure(
                    ExitCode.FAILED, "a cluster cannot be started yet in " + data.root());
        } finally {
            out.flush();
        }
    }
}
