package org.cepheus.domain.port;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;

/**
 * The namespace as protocols see it. Nothing blocks; a stage may be complete already and may
 * complete on any thread. Failures are {@link org.cepheus.domain.FsException}s.
 *
 * <p>After a failed read nothing has changed. After a failed mutation nothing has changed either,
 * except for {@code Unavailable}: it may have happened, and repeating it is safe where the
 * operation itself is.
 */
public interface NamespaceService {
    CompletionStage<FileStatus> stat(Caller caller, FsPath path);

    /**
     * One page of a directory.
     *
     * @param after the last name of the page before, empty for the first
     * @param max 1 to 10,000 entries
     */
    CompletionStage<DirectoryPage> list(Caller caller, FsPath directory, String after, int max);

    /** Extended attributes the caller may see, by name. */
    CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path);

    /** Room and quotas at a path (which need not exist: the nearest directory above counts). */
    CompletionStage<SpaceReport> space(Caller caller, FsPath path);

    /** Permission is decided here; the ticket of the grant is all the FST asks for. */
    CompletionStage<Grant> open(Caller caller, OpenRequest request);

    CompletionStage<Void> change(Caller caller, Mutation mutation);
}
