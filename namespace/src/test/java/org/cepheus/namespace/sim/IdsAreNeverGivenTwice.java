package org.cepheus.namespace.sim;

/** The counter is beyond every id in use, and what was gone never comes back under its number. */
final class IdsAreNeverGivenTwice implements Invariant {
    @Override
    public void check(Step step) {
        State state = step.after();
        long next = state.head().nextId();
        Step.require(next >= step.before().head().nextId(), "the counter went back to %d", next);
        for (long inode : state.places().keySet()) {
            Step.require(inode < next, "inode %d is beyond the counter %d", inode, next);
            Step.require(
                    !step.journal().goneInodes().contains(inode),
                    "inode %d was given again",
                    inode);
        }
        state.leases()
                .keySet()
                .forEach(ref ->
                        Step.require(
                                ref.id() < next && ref.inode() < next,
                                "%s is beyond the counter %d",
                                ref,
                                next));
    }
}
