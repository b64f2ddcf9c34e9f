package org.cepheus.namespace.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rows.Rows.GarbageKey;

/** What happened so far: the contents handed out and collected, the inodes seen and gone. */
final class Journal {
    private final Set<Long> handedOut = new HashSet<>();
    private final Set<Long> inPlace = new HashSet<>();
    private final Set<Long> collected = new HashSet<>();
    private Set<Long> inodes = Set.of();
    private final Set<Long> goneInodes = new HashSet<>();

    /** Takes down what one entry did, in its order. */
    void add(List<LogEntry.Item> items, List<Reply> replies) {
        for (int i = 0; i < items.size(); i++) {
            if (replies.get(i) instanceof Reply.Opened opened) {
                handOut(items.get(i), opened);
            }
        }
    }

    private void handOut(LogEntry.Item item, Reply.Opened opened) {
        boolean update =
                item.command() instanceof org.cepheus.domain.command.LeaseCommand.OpenForWrite c
                        && c.intent() == Intent.UPDATE;
        Set<Long> ids = update ? inPlace : handedOut;
        Step.require(ids.add(opened.lease().id()), "lease id %d again", opened.lease().id());
    }

    /** What a collection takes out of the garbage that was there before. */
    void collect(FleetCommand.CollectGarbage command, Set<GarbageKey> garbage) {
        for (long id : command.dataIds()) {
            if (garbage.contains(new GarbageKey(command.volumeId(), id))) {
                collected.add(id);
            }
        }
    }

    /** Takes down which inodes live now; one that was gone must not come back. */
    void inodes(Set<Long> now) {
        inodes.stream().filter(id -> !now.contains(id)).forEach(goneInodes::add);
        inodes = Set.copyOf(now);
    }

    Set<Long> handedOut() {
        return handedOut;
    }

    Set<Long> collected() {
        return collected;
    }

    Set<Long> goneInodes() {
        return goneInodes;
    }
}
