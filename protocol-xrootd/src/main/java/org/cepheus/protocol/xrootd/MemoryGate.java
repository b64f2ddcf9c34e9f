package org.cepheus.protocol.xrootd;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Admission;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** Which requests have to wait while memory is short: the client sends them again later. */
final class MemoryGate {
    private MemoryGate() {}

    /** Why the request has to wait, if it does. */
    static Optional<FsError> refusal(Admission admission, XrootdRequest request) {
        return isNew(request) || (hasData(request) && admission.isShort())
                ? admission.refusal()
                : Optional.empty();
    }

    private static boolean isNew(XrootdRequest request) {
        return request instanceof XrootdRequest.Open || request instanceof XrootdRequest.DirList;
    }

    /** Data that comes on another stream cannot be refused here: it is on its way there. */
    private static boolean hasData(XrootdRequest request) {
        return request instanceof XrootdRequest.Read
                || request instanceof XrootdRequest.PageRead
                || request instanceof XrootdRequest.ReadMany
                || (request instanceof XrootdRequest.Write write && write.pathId() == 0)
                || (request instanceof XrootdRequest.PageWrite pages && pages.pathId() == 0)
                || request instanceof XrootdRequest.WriteMany;
    }
}
