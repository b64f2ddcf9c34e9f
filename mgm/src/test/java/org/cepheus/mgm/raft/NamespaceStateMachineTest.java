package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.store.MemoryStore;
import org.junit.jupiter.api.Test;

/** What the state machine answers when Ratis tells of trouble. */
final class NamespaceStateMachineTest {
    private static final ClientId OWN = ClientId.randomId();

    private final List<String> stopped = new ArrayList<>();
    private final NamespaceStateMachine machine =
            new NamespaceStateMachine(
                    new JournalState(new MemoryStore()),
                    new Deaf(),
                    (why, _) -> stopped.add(why),
                    OWN,
                    1_000,
                    Optional.empty());

    private static final class Deaf implements NamespaceStateMachine.Listener {
        @Override
        public void applied(long index, LogEntry.BatchId batch, List<Reply> replies) {}

        @Override
        public void passed(long index) {}
    }

    private static RaftClientRequest write(ClientId from) {
        return RaftClientRequest.newBuilder()
                .setClientId(from)
                .setServerId(RaftPeerId.valueOf("m0"))
                .setGroupId(RaftGroupId.randomId())
                .setCallId(1)
                .setMessage(Message.valueOf("entry"))
                .setType(RaftClientRequest.writeRequestType())
                .build();
    }

    @Test
    void aLogThatFailedStopsTheMember() {
        machine.notifyLogFailed(new IOException("disk full"), null);

        assertThat(stopped).containsExactly("the Raft log failed");
    }

    @Test
    void aServerThatRatisClosesByItselfStopsTheMember() {
        machine.notifyServerShutdown(RoleInfoProto.getDefaultInstance(), true);

        assertThat(stopped).containsExactly("Ratis closed by itself");
    }

    @Test
    void aStopThatWasAskedForStopsNothingElse() {
        machine.expectShutdown();

        machine.notifyLogFailed(new IOException("closed"), null);
        machine.notifyServerShutdown(RoleInfoProto.getDefaultInstance(), true);

        assertThat(stopped).isEmpty();
    }

    @Test
    void entriesOfAnybodyElseAreRefused() throws IOException {
        assertThat(machine.startTransaction(write(OWN)).getException()).isNull();

        assertThat(machine.startTransaction(write(ClientId.randomId())).getException())
                .hasMessageContaining("its own members only");
    }
}
