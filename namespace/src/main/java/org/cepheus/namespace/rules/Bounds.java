package org.cepheus.namespace.rules;

/**
 * How much one command may look at. Part of the rules: every replica of a cluster has the same.
 *
 * @param countedAtOnce the most entries below a new quota node that are counted in its own log
 *     entry; with more it is counted in the background
 * @param rechargedAtOnce the most inodes that change quota nodes in one rename
 */
public record Bounds(int countedAtOnce, int rechargedAtOnce) {
    /** What clusters have. */
    public static final Bounds STANDARD = new Bounds(1_000, 1_000);
}
