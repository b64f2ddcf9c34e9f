package org.cepheus.namespace.sim;

import org.cepheus.domain.command.Reply;

/** Where every command of an entry was refused, only the clocks and the index have moved. */
final class RefusedCommandChangesNothing implements Invariant {
    @Override
    public void check(Step step) {
        if (!step.replies().stream().allMatch(Reply.Refused.class::isInstance)) {
            return;
        }
        Step.require(rows(step.before()).equals(rows(step.after())), "rows changed");
        Step.require(
                step.before().head().nextId() == step.after().head().nextId(),
                "a refused command took an id");
    }

    private static java.util.List<Object> rows(State s) {
        return java.util.List.of(
                s.entries(),
                s.directories(),
                s.places(),
                s.quotas(),
                s.leases(),
                s.garbage(),
                s.attributes());
    }
}
