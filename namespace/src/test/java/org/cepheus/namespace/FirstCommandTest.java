package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.store.MemoryStore;
import org.junit.jupiter.api.Test;

/** What happens when the namespace meets somebody for the first time. */
class FirstCommandTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final Identity ALICE = new Identity("alice", List.of("users"), false);

    @Test
    void someoneNewOwnsTheParentsThatTheSameCommandMakes() {
        var namespace = Namespace.open(new MemoryStore(), CLUSTER);
        var command = new Mutation.MakeDirectory(FsPath.parse("/a/b/c"), 0700, true);

        List<Reply> replies = namespace.apply(1, 0, entry(command));

        assertThat(replies).containsExactly(new Reply.Done());
        assertThat(namespace.queries().stat(ALICE, FsPath.parse("/a/b/c")).owner())
                .isEqualTo("alice");
    }

    @Test
    void aFirstEntryMayCarryTheHashOfTheEmptyNamespace() {
        var namespace = Namespace.open(new MemoryStore(), CLUSTER);
        var command = new Mutation.MakeDirectory(FsPath.parse("/a"), 0700, false);

        List<Reply> replies =
                namespace.apply(1, 0, entry(command, Optional.of(namespace.chainCheck())));

        assertThat(replies).containsExactly(new Reply.Done());
    }

    @Test
    void countsTheDirectoriesThatThereAre() {
        var namespace = Namespace.open(new MemoryStore(), CLUSTER);

        namespace.apply(1, 0, entry(new Mutation.MakeDirectory(FsPath.parse("/a/b"), 0700, true)));
        namespace.apply(1, 1, entry(new Mutation.RemoveDirectory(FsPath.parse("/a/b"))));

        assertThat(namespace.head().directories()).isEqualTo(2);
    }

    private static LogEntry entry(Mutation command) {
        return entry(command, Optional.empty());
    }

    private static LogEntry entry(Mutation command, Optional<LogEntry.ChainCheck> check) {
        var item = new LogEntry.Item(new Caller(ALICE, "127.0.0.1", new TraceId(1)), command);
        return new LogEntry(
                CLUSTER,
                new LogEntry.BatchId(1, 1),
                5,
                5,
                LogEntry.FEATURE_LEVEL,
                check,
                List.of(item));
    }
}
