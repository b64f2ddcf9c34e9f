package org.cepheus.namespace.sim;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;

/**
 * Says what each command should come to, by a {@link Model} and the semantics as written down, and
 * complains where the namespace answered otherwise. Where several reasons stand against a command
 * any of them is a good answer.
 */
final class Oracle {
    private Model model = new Model();
    private final Set<Long> ended = new HashSet<>();
    private final Set<Long> acknowledged = new HashSet<>();

    Model model() {
        return model;
    }

    /** Contents that were acknowledged and neither removed nor replaced since. */
    Set<Long> mustBeVisible() {
        var versions = new HashSet<>(acknowledged);
        versions.removeAll(ended);
        return versions;
    }

    /** What is wrong with the reply, if anything; the model then stands after the command. */
    Optional<String> judge(LogEntry.Item item, Reply reply, long leaseNow) {
        Model next = mayBeUndone(item.command()) ? model.copy() : model;
        var ending = new HashSet<Long>();
        try {
            perform(next, ending, item, reply, leaseNow);
            if (mayGrow(item.command()) && Model.growsBeyondALimit(model, next)) {
                throw Expected.refusal(FsError.QuotaExceeded.class);
            }
        } catch (Expected expected) {
            return againstRefusal(expected, reply);
        }
        if (reply instanceof Reply.Refused refused) {
            return Optional.of("should have been accepted, was " + refused);
        }
        model = next;
        ended.addAll(ending);
        if (reply instanceof Reply.Committed committed) {
            acknowledged.add(committed.status().contentVersion());
        }
        return Optional.empty();
    }

    private static Optional<String> againstRefusal(Expected expected, Reply reply) {
        if (reply instanceof Reply.Refused(FsError error)
                && expected.kinds().contains(error.getClass())) {
            return Optional.empty();
        }
        return Optional.of(
                "should have been refused with one of %s, was %s"
                        .formatted(
                                expected.kinds().stream()
                                        .map(Class::getSimpleName)
                                        .sorted()
                                        .collect(Collectors.joining(", ")),
                                reply));
    }

    // Everything else changes the model only when no reason stands against it.
    private static boolean mayBeUndone(Command command) {
        return mayGrow(command) || command instanceof Mutation.MakeDirectory;
    }

    private static boolean mayGrow(Command command) {
        return (command instanceof LeaseCommand && !(command instanceof LeaseCommand.Abort))
                || command instanceof FleetCommand.SettleFile
                || command instanceof Mutation.Rename
                || command instanceof Mutation.SetOwner;
    }

    // What a part of a count does is in the rows, which invariants look at: here it only may be
    // late, or come before another one.
    private static void counted(Reply reply) {
        if (reply instanceof Reply.Refused) {
            throw new Expected(Set.of(FsError.NotFound.class, FsError.InvalidArgument.class));
        }
    }

    /**
     * The leader has counted: nodes that are not named any more refuse what is beyond their limits
     * from now on. None begins to be counted by that.
     */
    void stillCounting(Set<FsPath> nodes) {
        var names = new ExpectedNames(model, Identity.SYSTEM, ended);
        var tags = nodes.stream().map(path -> names.existing(names.walk(path)).tag()).toList();
        Step.require(model.counting.containsAll(tags), "%s were not counted before", nodes);
        model.counting.retainAll(tags);
    }

    private static void perform(
            Model model, Set<Long> ended, LogEntry.Item item, Reply reply, long leaseNow) {
        var names = new ExpectedNames(model, item.caller().identity(), ended);
        var uploads = new ExpectedUploads(model, names, leaseNow);
        switch (item.command()) {
            case Mutation m -> names.change(m);
            case LeaseCommand.OpenForWrite c -> uploads.open(c, reply);
            case LeaseCommand.ExtendReservation c -> uploads.extend(c, reply);
            case LeaseCommand.Commit c -> uploads.commit(c, reply);
            case LeaseCommand.Abort c -> uploads.end(c.lease().id());
            case FleetCommand.RegisterFst c -> uploads.register(c);
            case FleetCommand.RenewSession c -> uploads.renew(c);
            case FleetCommand.ExpireLeases c -> uploads.expire(c, reply);
            case FleetCommand.SettleFile c -> uploads.settle(c, reply);
            case FleetCommand.CollectGarbage _ -> {}
            case OperatorCommand _ -> {}
            case QuotaCommand.AddCounted _ -> counted(reply);
        }
    }
}
