package org.cepheus.protocol.socket;

/**
 * Tells from the last waits of an event loop whether the next one will be short, as a processor
 * tells branches: for each pattern of the last waits it keeps how far "short" is to be trusted (Yeh
 * and Patt, "Two-level adaptive training branch prediction", 1991). So it also knows loops that
 * wait for a client and for a disk in turns. One miss costs as much trust as two hits give.
 */
final class WaitHistory {
    /** Waits that make a pattern. */
    static final int REMEMBERED = 4;

    private static final int PATTERNS = 1 << REMEMBERED;
    private static final int MOST_TRUST = 7;
    private static final int ENOUGH_TRUST = 5;
    private static final int MISS = 2;

    private final int[] trust = new int[PATTERNS];
    private int pattern;

    boolean expectsShort() {
        return trust[pattern] >= ENOUGH_TRUST;
    }

    void waited(boolean isShort) {
        int before = trust[pattern];
        trust[pattern] = isShort ? Math.min(MOST_TRUST, before + 1) : Math.max(0, before - MISS);
        pattern = (pattern << 1 | (isShort ? 1 : 0)) % PATTERNS;
    }
}
