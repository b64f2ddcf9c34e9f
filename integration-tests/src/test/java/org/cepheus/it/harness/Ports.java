package org.cepheus.it.harness;

import org.cepheus.domain.loopback.FreePorts;

/** The ports that one cluster under test takes. */
public final class Ports {
    /** So many ports after the base belong to one {@code up}. */
    public static final int SPAN = 40;

    private Ports() {}

    /** A base for {@code --port-base}: it and the ports above it were free a moment ago. */
    public static int freeBase() {
        return FreePorts.firstOf(SPAN);
    }
}
