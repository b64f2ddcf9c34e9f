package org.cepheus.namespace.rules;

import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;

/** The one switch: which rule decides which command. A rule refuses by throwing an FsException. */
public final class Rules {
    private Rules() {}

    /**
     * Decides one command.
     *
     * @param work its draft holds the changes afterwards; to be dropped after an exception
     */
    public static Reply decide(Work work, Command command) {
        return switch (command) {
            case Mutation mutation -> {
                change(work, mutation);
                yield new Reply.Done();
            }
            case LeaseCommand.OpenForWrite c -> UploadRules.open(work, c);
            case LeaseCommand.ExtendReservation c -> UploadRules.extend(work, c);
            case LeaseCommand.Commit c -> CommitRules.commit(work, c);
            case LeaseCommand.Abort c -> {
                UploadRules.abort(work, c);
                yield new Reply.Done();
            }
            case QuotaCommand.AddCounted c -> {
                QuotaNodeRules.addCounted(work, c);
                yield new Reply.Done();
            }
            case OperatorCommand.SetState c -> {
                OperatorRules.setState(work, c);
                yield new Reply.Done();
            }
            case OperatorCommand.Once _ ->
                    throw new IllegalStateException("decided by the command in it");
            case FleetCommand.RegisterFst c -> {
                FleetRules.register(work, c);
                yield new Reply.Done();
            }
            case FleetCommand.RenewSession c -> {
                FleetRules.renew(work, c);
                yield new Reply.Done();
            }
            case FleetCommand.ExpireLeases c -> FleetRules.expire(work, c);
            case FleetCommand.SettleFile c -> CommitRules.settle(work, c);
            case FleetCommand.CollectGarbage c -> {
                FleetRules.collected(work, c);
                yield new Reply.Done();
            }
        };
    }

    private static void change(Work work, Mutation mutation) {
        switch (mutation) {
            case Mutation.MakeDirectory c -> DirectoryRules.make(work, c);
            case Mutation.RemoveDirectory c -> DirectoryRules.remove(work, c);
            case Mutation.Rename c -> RenameRules.rename(work, c);
            case Mutation.RemoveFile c -> FileRules.remove(work, c);
            case Mutation.SetMode c -> FileRules.setMode(work, c);
            case Mutation.SetOwner c -> FileRules.setOwner(work, c);
            case Mutation.SetModified c -> FileRules.setModified(work, c);
            case Mutation.SetAttribute c -> AttributeRules.set(work, c);
            case Mutation.RemoveAttribute c -> AttributeRules.remove(work, c);
            case Mutation.ChangeAttributes c -> AttributeRules.change(work, c);
            case Mutation.SetQuota c -> QuotaNodeRules.set(work, c);
            case Mutation.SetDefaultQuota c -> QuotaNodeRules.setDefault(work, c);
            case Mutation.RemoveQuota c -> QuotaNodeRules.remove(work, c);
            case Mutation.IfVersion c -> {
                FileRules.requireVersion(work, c);
                change(work, c.change());
            }
        }
    }
}
