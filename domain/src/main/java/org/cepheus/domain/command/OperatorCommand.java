package org.cepheus.domain.command;

import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;

/** What operators order that has no path. */
public sealed interface OperatorCommand extends Command {
    /** From now on the FST or volume is used for this only. */
    record SetState(ServiceTarget target, ServiceState state) implements OperatorCommand {}

    /**
     * Another command, unless one came with this key before: then the reply is that one's, and
     * nothing changes. The last {@code Namespace.REMEMBERED_KEYS} keys are known.
     */
    record Once(OnceKey key, Command command) implements OperatorCommand {
        public Once {
            if (command instanceof Once) {
                throw new FsException(
                        new FsError.InvalidArgument("one command has one idempotency key"));
            }
        }
    }
}
