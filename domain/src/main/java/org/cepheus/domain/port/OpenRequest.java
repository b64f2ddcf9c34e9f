package org.cepheus.domain.port;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.LeaseCommand;

/**
 * A client wants to read or write a file.
 *
 * @param writing absent for reading
 * @param mode permission bits of a file that is made
 * @param declaredSizeBytes what the client says it will send
 * @param atFst the FST that asks on its own behalf (a door): place it there
 * @param avoidFsts FSTs that just failed this client
 * @param avoidHosts hosts to avoid if another is free (XRootD's {@code tried}, which has no port)
 */
public record OpenRequest(
        FsPath path,
        Optional<LeaseCommand.Intent> writing,
        boolean makeParents,
        int mode,
        OptionalLong declaredSizeBytes,
        OptionalInt atFst,
        List<Integer> avoidFsts,
        List<String> avoidHosts) {
    public OpenRequest {
        avoidFsts = List.copyOf(avoidFsts);
        avoidHosts = List.copyOf(avoidHosts);
    }

    /** A plain open for reading. */
    public static OpenRequest reading(FsPath path) {
        return new OpenRequest(
                path,
                Optional.empty(),
                false,
                0,
                OptionalLong.empty(),
                OptionalInt.empty(),
                List.of(),
                List.of());
    }

    /** An open for writing that makes no parents. */
    public static OpenRequest writing(
            FsPath path, LeaseCommand.Intent intent, int mode, OptionalLong declaredSizeBytes) {
        return new OpenRequest(
                path,
                Optional.of(intent),
                false,
                mode,
                declaredSizeBytes,
                OptionalInt.empty(),
                List.of(),
                List.of());
    }

    /** The same with missing parent directories made. */
    public OpenRequest withParents() {
        return new OpenRequest(
                path, writing, true, mode, declaredSizeBytes, atFst, avoidFsts, avoidHosts);
    }

    /** The same, to be served by that FST itself. */
    public OpenRequest at(int fstId) {
        return new OpenRequest(
                path,
                writing,
                makeParents,
                mode,
                declaredSizeBytes,
                OptionalInt.of(fstId),
                avoidFsts,
                avoidHosts);
    }

    /** The same, avoiding what failed the client. */
    public OpenRequest avoiding(List<Integer> fsts, List<String> hosts) {
        return new OpenRequest(
                path, writing, makeParents, mode, declaredSizeBytes, atFst, fsts, hosts);
    }
}
