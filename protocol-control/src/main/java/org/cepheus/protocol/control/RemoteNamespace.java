package org.cepheus.protocol.control;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.CommandCodec;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.SpaceReport;

/** The leader's namespace over the control connection. */
final class RemoteNamespace implements NamespaceService {
    private final ControlClient client;

    RemoteNamespace(ControlClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return client.query(new ControlMessage.Stat(caller, path), ControlMessage.Status.class)
                .thenApply(ControlMessage.Status::status);
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return client.query(
                        new ControlMessage.ListEntries(caller, directory, after, max),
                        ControlMessage.Page.class)
                .thenApply(ControlMessage.Page::page);
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return client.query(
                        new ControlMessage.GetAttributes(caller, path),
                        ControlMessage.Attributes.class)
                .thenApply(ControlMessage.Attributes::byName);
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        return client.query(new ControlMessage.GetSpace(caller, path), ControlMessage.Space.class)
                .thenApply(ControlMessage.Space::report);
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        // A grant that was lost on the way expires unused, so asking again is harmless.
        return client.query(new ControlMessage.Open(caller, request), ControlMessage.Granted.class)
                .thenApply(ControlMessage.Granted::grant);
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        var bytes = Bytes.copyOf(CommandCodec.encode(mutation));
        return client.once(new ControlMessage.Change(caller, bytes), ControlMessage.Done.class)
                .thenApply(_ -> null);
    }
}
