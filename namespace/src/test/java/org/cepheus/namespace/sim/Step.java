package org.cepheus.namespace.sim;

import java.util.List;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.jspecify.annotations.Nullable;

/**
 * One applied entry: the rows before and after it, its commands and their replies, and what was
 * known before of ids and contents.
 */
record Step(
        Replica replica,
        State before,
        State after,
        List<LogEntry.Item> items,
        List<Reply> replies,
        Journal journal,
        Oracle oracle) {
    boolean has(Class<?> command) {
        return items.stream().anyMatch(item -> command.isInstance(item.command()));
    }

    static void require(boolean holds, String format, @Nullable Object... values) {
        if (!holds) {
            throw new AssertionError(format.formatted(values));
        }
    }
}
