package org.cepheus.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.cepheus.cli.ServerOptions;

/**
 * Tells commands that are given the same data directory where the admin port is. Written whenever
 * {@code up} is ready, so once it is there everything else is complete.
 */
final class ClientFile {
    private ClientFile() {}

    static boolean isIn(DataDirectory data) {
        return Files.exists(data.root().resolve(ServerOptions.CLIENT_FILE));
    }

    static void write(DataDirectory data, Ports ports) throws IOException {
        Path file = data.root().resolve(ServerOptions.CLIENT_FILE);
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(
                fresh,
                """
                # Written at each start of 'cepheus up', for the commands that ask it.
                url=http://%s:%d
                """
                        .formatted(Ports.HOST, ports.admin()));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
