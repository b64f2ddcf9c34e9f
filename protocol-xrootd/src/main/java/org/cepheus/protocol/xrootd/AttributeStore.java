package org.cepheus.protocol.xrootd;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.NamespaceService;

/** Where the attributes of one path are: in the namespace, or waiting for the path to appear. */
interface AttributeStore {
    FsPath path();

    CompletionStage<Map<String, Bytes>> all(Caller caller);

    /** SetAttribute and RemoveAttribute only. */
    CompletionStage<Void> change(Caller caller, Mutation mutation);

    /** Fails if there is no such path. */
    CompletionStage<Boolean> exists(Caller caller);

    /** The attributes of what has a name. */
    static AttributeStore of(NamespaceService namespace, FsPath at) {
        return new AttributeStore() {
            @Override
            public FsPath path() {
                return at;
            }

            @Override
            public CompletionStage<Map<String, Bytes>> all(Caller caller) {
                return namespace.attributes(caller, at);
            }

            @Override
            public CompletionStage<Void> change(Caller caller, Mutation mutation) {
                return namespace.change(caller, mutation);
            }

            @Override
            public CompletionStage<Boolean> exists(Caller caller) {
                return namespace.stat(caller, at).thenApply(FileStatus::isFile);
            }
        };
    }
}
