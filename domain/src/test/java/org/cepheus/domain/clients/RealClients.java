package org.cepheus.domain.clients;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs that tests run and that a machine may lack. The test is skipped then, by name and with
 * the reason; with {@code -Dcepheus.clients=required}, as in CI, it fails.
 */
public final class RealClients {
    private RealClients() {}

    /**
     * Goes on if the program is there.
     *
     * @param program below /usr/bin
     * @param debianPackage that has it
     */
    public static void require(String program, String debianPackage) {
        if (!Files.isExecutable(Path.of("/usr/bin", program))) {
            missing(program + " is not installed: apt-get install " + debianPackage);
        }
    }

    /** Something is not there; never returns. */
    public static void missing(String why) {
        missing(why, System.getProperty("cepheus.clients", "optional").equals("required"));
    }

    static void missing(String why, boolean isRequired) {
        if (isRequired) {
            Assertions.fail(why);
        }
        Assumptions.abort(why);
    }
}
