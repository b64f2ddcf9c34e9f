package org.cepheus.app;

import java.nio.file.Path;
import org.cepheus.cli.ServerOptions;
import org.cepheus.domain.Identity;

/** What {@code up} prints when it is ready: lines to copy that work as they stand. */
record Hints(Ports ports, Path data, Identity starter) {
    String text() {
        String mgm = "root://%s:%d".formatted(Ports.HOST, ports.xrootd());
        String http = "http://%s:%d".formatted(Ports.HOST, ports.http());
        String door = "http://%s:%d".formatted(Ports.HOST, ports.httpOfFst(1));
        return """
        ready

          put and get a file with XRootD
            xrdcp FILE %1$s//name
            xrdcp %1$s//name COPY
          and with HTTP (-L: the MGM redirects to where the bytes go)
            curl -L -T FILE %2$s/name
            curl -L -o COPY %2$s/name
          clients that follow no redirects (rclone, davfs, cadaver) use a door
            %3$s/
          administration
            ./cepheus status%4$s
            ./cepheus ls /%4$s
            ./cepheus quota set / --bytes 1TiB%4$s

          Data is in %5$s. Only this machine can connect.
          HTTP acts as %6$s, who started this and is superuser; XRootD as whom the client says.
          Ctrl-C stops it; the same command finds the data again.
        """
                .formatted(mgm, http, door, dataOption(), data, starter.user());
    }

    private String dataOption() {
        Path usual = Path.of(ServerOptions.DEFAULT_DATA).toAbsolutePath().normalize();
        return data.equals(usual) ? "" : " --data " + quoted(data.toString());
    }

    /** As a shell takes it for one word. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
