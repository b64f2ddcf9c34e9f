package org.cepheus.domain.port;

import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.command.Mutation;

/** What an operator may order to be changed. */
public sealed interface OperatorOrder {
    /** A change of the namespace, as every client may ask for it. */
    record Change(Mutation mutation) implements OperatorOrder {}

    /** What an FST or volume is used for from now on. */
    record SetState(ServiceTarget target, ServiceState state) implements OperatorOrder {}

    /** Ends an upload: its lease is aborted, and nothing of it becomes visible. */
    record EndTransfer(long leaseId) implements OperatorOrder {}
}
