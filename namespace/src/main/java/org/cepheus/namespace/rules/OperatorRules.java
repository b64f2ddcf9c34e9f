package org.cepheus.namespace.rules;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.Draft;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.OperatorTables;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.namespace.rows.Rows.OnceReply;
import org.cepheus.namespace.rows.Tables;

/** What operators may do to the fleet, and that an order with a key is done once. */
public final class OperatorRules {
    /** With more keys the oldest is forgotten. */
    public static final int REMEMBERED_KEYS = 10_000;

    private static final int RETRY_SECONDS = 1;
    private static final byte[] FIRST_FST = {'f'};
    private static final byte[] BEYOND_FSTS = {'f' + 1};

    private OperatorRules() {}

    static void setState(Work work, OperatorCommand.SetState command) {
        if (!work.subject().isSuperuser()) {
            throw work.denied("set the state of " + command.target());
        }
        if (!isKnown(work.draft(), command.target())) {
            throw Work.refuse(new FsError.NotFound("there is no " + command.target()));
        }
        FleetStates states = states(work.draft());
        work.draft()
                .put(
                        OperatorTables.STATES,
                        OperatorTables.ALL_STATES,
                        states.with(command.target(), command.state()));
    }

    private static boolean isKnown(View view, ServiceTarget target) {
        return switch (target.kind()) {
            case FST -> view.get(Tables.FSTS, target.id()).isPresent();
            case VOLUME -> {
                boolean[] found = {false};
                view.scan(
                        Tables.FSTS,
                        FIRST_FST,
                        BEYOND_FSTS,
                        (_, fst) -> {
                            found[0] = offers(fst, target.id());
                            return !found[0];
                        });
                yield found[0];
            }
        };
    }

    private static boolean offers(Fst fst, int volumeId) {
        return fst.volumes().stream().anyMatch(volume -> volume.volumeId() == volumeId);
    }

    public static FleetStates states(View view) {
        return view.get(OperatorTables.STATES, OperatorTables.ALL_STATES).orElse(FleetStates.NONE);
    }

    // The leader places by the state that it sees; an order may have come in between.
    static void requireWritable(Work work, LeaseCommand.Placement placement) {
        FleetStates states = states(work.draft());
        requireWritable(states, ServiceTarget.volume(placement.volumeId()));
        requireWritable(states, ServiceTarget.fst(placement.fstId()));
    }

    private static void requireWritable(FleetStates states, ServiceTarget target) {
        ServiceState state = states.of(target);
        if (state != ServiceState.RW) {
            throw Work.refuse(
                    new FsError.Unavailable(
                            "%s was just set to %s: try again".formatted(target, state.word()),
                            RETRY_SECONDS));
        }
    }

    /**
     * How the order with that key ended, if one came.
     *
     * @throws org.cepheus.domain.FsException InvalidArgument if the key was used for something else
     */
    public static Optional<OnceReply> known(View view, OnceKey once) {
        Optional<OnceReply> reply = view.get(OperatorTables.ONCE_REPLIES, once.key());
        if (reply.isPresent() && !reply.get().request().equals(once.request())) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "the idempotency key '%s' was used for another request: draw a new one"
                                    .formatted(once.key())));
        }
        return reply;
    }

    /** The reply that a known end stands for. */
    public static Reply reply(OnceReply known) {
        return known.refused().<Reply>map(Reply.Refused::new).orElseGet(Reply.DoneBefore::new);
    }

    /** Remembers how an order ended, and forgets the oldest when there are too many. */
    public static void remember(Draft draft, OnceKey once, Optional<FsError> refused) {
        long count = draft.get(OperatorTables.ONCE_COUNTS, OperatorTables.ALL_KEYS).orElse(0L);
        long slot = count % REMEMBERED_KEYS;
        draft.get(OperatorTables.ONCE_SLOTS, slot)
                .ifPresent(oldest -> draft.delete(OperatorTables.ONCE_REPLIES, oldest));
        draft.put(OperatorTables.ONCE_SLOTS, slot, once.key());
        draft.put(OperatorTables.ONCE_REPLIES, once.key(), new OnceReply(once.request(), refused));
        draft.put(OperatorTables.ONCE_COUNTS, OperatorTables.ALL_KEYS, count + 1);
    }
}
