package org.cepheus.protocol.xrootd;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.NamespaceService;

/**
 * Attributes that a client gave to a file it is uploading, whose name is not there yet: they are
 * set when it is, before the close is answered. Owned by the event loop.
 */
final class WaitingAttributes implements AttributeStore {
    /** The most that wait, and their bytes. */
    static final int MAX_ATTRIBUTES = 64;

    static final int MAX_BYTES = 256 * 1024;

    private final FsPath path;
    private final Map<String, Bytes> byName = new TreeMap<>();

    WaitingAttributes(FsPath path) {
        this.path = path;
    }

    @Override
    public FsPath path() {
        return path;
    }

    @Override
    public CompletionStage<Map<String, Bytes>> all(Caller caller) {
        return CompletableFuture.completedFuture(Map.copyOf(byName));
    }

    @Override
    public CompletionStage<Boolean> exists(Caller caller) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        if (mutation instanceof Mutation.SetAttribute(_, var name, var value, var onlyNew)) {
            set(caller, name, value, onlyNew);
        } else if (mutation instanceof Mutation.RemoveAttribute(_, var name)
                && byName.remove(name) == null) {
            throw new FsException(
                    new FsError.NotFound("%s has no attribute %s".formatted(path, name)));
        }
        return CompletableFuture.completedFuture(null);
    }

    private void set(Caller caller, String name, Bytes value, boolean onlyNew) {
        if (name.startsWith("sys.") && !caller.identity().superuser()) {
            throw new FsException(
                    new FsError.PermissionDenied(name + ": sys. attributes are the operator's"));
        }
        if (onlyNew && byName.containsKey(name)) {
            throw new FsException(
                    new FsError.AlreadyExists("%s has the attribute %s".formatted(path, name)));
        }
        int bytes = byName.values().stream().mapToInt(Bytes::size).sum() + value.size();
        if (byName.size() >= MAX_ATTRIBUTES || bytes > MAX_BYTES) {
            throw new FsException(
                    new FsError.TooLong(
                            "an upload takes %d attributes of %d bytes together; set more after its close"
                                    .formatted(MAX_ATTRIBUTES, MAX_BYTES)));
        }
        byName.put(name, value);
    }

    /** The name is there now; repeating it is safe. */
    CompletionStage<Void> settle(NamespaceService namespace, Caller caller) {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (Map.Entry<String, Bytes> each : byName.entrySet()) {
            var set = new Mutation.SetAttribute(path, each.getKey(), each.getValue(), false);
            all = all.thenCompose(_ -> namespace.change(caller, set));
        }
        return all;
    }
}
