package org.cepheus.namespace.sim;

import java.util.List;

/** What holds after every step, whatever happened. A violation is an AssertionError. */
interface Invariant {
    void check(Step step);

    /** Those that look at one replica's rows. */
    static List<Invariant> all() {
        return List.of(
                new EveryInodeHasOnePlace(),
                new EveryNameIsWithinReach(),
                new UsedEqualsSumOfFiles(),
                new ReservedEqualsSumOfLeases(),
                new NoCommandGrowsBeyondALimit(),
                new WhatACountMissesStaysTheSame(),
                new ARecountFindsNoDifference(),
                new GarbageAndLiveContentsAreDisjoint(),
                new AcknowledgedCommitIsVisible(),
                new RefusedCommandChangesNothing(),
                new IdsAreNeverGivenTwice(),
                new UpdatingMarksHaveLeases(),
                new NotesBelongToContents(),
                new AttributesBelongToInodes(),
                new CachesShowTheStore());
    }
}
