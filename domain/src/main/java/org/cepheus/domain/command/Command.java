package org.cepheus.domain.command;

/**
 * One command of the replicated log: what is wanted, not how. Time comes with the log entry, ids
 * come from the state; replicas never look at a clock. Who asks travels beside the command.
 */
public sealed interface Command
        permits Mutation, LeaseCommand, FleetCommand, QuotaCommand, OperatorCommand {}
