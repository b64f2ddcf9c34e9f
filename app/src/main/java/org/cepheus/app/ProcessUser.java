package org.cepheus.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import org.cepheus.domain.Identity;

/** Who started this process. */
final class ProcessUser {
    private ProcessUser() {}

    /** Its user and primary group as a superuser of the cluster it starts. */
    static Identity superuser() {
        try {
            // Its effective user and group own a process' entry.
            var self = Files.readAttributes(Path.of("/proc/self"), PosixFileAttributes.class);
            return new Identity(self.owner().getName(), List.of(self.group().getName()), true);
        } catch (IOException e) {
            String user = System.getProperty("user.name", "root");
            return new Identity(user, List.of(user), true);
        }
    }
}
