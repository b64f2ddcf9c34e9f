package org.cepheus.admin;

import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FsException;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.NamespaceService;

/** Makes what an operator orders, waits until it is committed, and tells the audit how it ended. */
final class Changes {
    private final NamespaceService namespace;
    private final Audit audit;

    Changes(NamespaceService namespace, Audit audit) {
        this.namespace = namespace;
        this.audit = audit;
    }

    /** One change of the namespace; 204 when it is done. */
    Answer make(Route.Request request, String operation, Mutation mutation) {
        return make(
                request,
                operation,
                mutation.path().value(),
                namespace.change(request.caller(), mutation));
    }

    private Answer make(
            Route.Request request, String operation, String object, CompletionStage<Void> change) {
        try {
            Waiting.on(change.thenApply(_ -> true));
            audit.allowed(request.caller(), operation, object);
            return Answer.done();
        } catch (FsException e) {
            audit.refused(request.caller(), operation, object, e.error());
            throw e;
        }
    }
}
