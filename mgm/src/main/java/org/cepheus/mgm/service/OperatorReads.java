package org.cepheus.mgm.service;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.mgm.raft.ReadGate;

/**
 * How operators read at the leader: behind the gate, on threads that may wait for the disk.
 *
 * @param scans platform threads for reads of many rows; rejects when its queue is full
 */
record OperatorReads(ReadGate gate, Executor scans) {
    /** Fails with PermissionDenied for who is no operator, with NotLeader at other members. */
    <T> CompletableFuture<T> read(Caller caller, Supplier<T> query) {
        if (!caller.identity().superuser()) {
            return CompletableFuture.failedFuture(
                    new FsException(
                            new FsError.PermissionDenied(
                                    caller.identity().user() + " is no operator")));
        }
        try {
            return gate.read(() -> true).thenApplyAsync(_ -> query.get(), scans);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.Overloaded("too many listings wait here", 1)));
        }
    }
}
