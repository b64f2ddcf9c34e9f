package org.cepheus.app;

import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;

/**
 * The ports of a site whose servers share one machine: five for each MGM from the base on, then
 * three for each FST.
 */
record SitePorts(int base, int mgms, int fsts) {
    private static final int OF_AN_MGM = 5;
    private static final int OF_AN_FST = 3;
    private static final int LAST = 65_535;

    SitePorts {
        int last = base + mgms * OF_AN_MGM + fsts * OF_AN_FST - 1;
        if (base < 1 || last > LAST) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--port-base must be 1..%d, so that all ports are below 65536, is %d"
                            .formatted(LAST - (last - base), base));
        }
    }

    /** The first of the five ports of MGM 1, 2, 3: XRootD, HTTP, admin, Raft, control. */
    int ofMgm(int number) {
        return base + (number - 1) * OF_AN_MGM;
    }

    int adminOfMgm(int number) {
        return ofMgm(number) + 2;
    }

    int controlOfMgm(int number) {
        return ofMgm(number) + 4;
    }

    /** The first of the three ports of FST 1, 2, …: XRootD, HTTP, admin. */
    int ofFst(int number) {
        return base + mgms * OF_AN_MGM + (number - 1) * OF_AN_FST;
    }
}
