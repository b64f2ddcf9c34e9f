package org.cepheus.domain.port;

import java.util.List;
import java.util.function.Function;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.TraceId;

/**
 * Where it is written down who did what, who was refused what, and what the system did by itself to
 * what users see. No method waits or fails; what cannot be written is counted.
 *
 * <p>A change has one line at the server that was asked for it. A change that nobody asked for has
 * one at the MGM that put it into the log.
 */
public interface Audit {
    /** Writes nothing. */
    Audit NONE =
            new Audit() {
                @Override
                public void allowed(Caller caller, String operation, String object) {}

                @Override
                public void refused(
                        Caller caller, String operation, String object, FsError error) {}

                @Override
                public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {}
            };

    /**
     * Something that the system did.
     *
     * @param trace of the request that began what ended now
     * @param owner whose it was
     */
    record Deed(TraceId trace, String operation, String object, String owner, String why) {}

    /** A change was made, or a file was opened. */
    void allowed(Caller caller, String operation, String object);

    void refused(Caller caller, String operation, String object, FsError error);

    /**
     * Changes that no client asked for.
     *
     * @param changes one line each
     * @param shown is called later, on a thread of the audit: it may read the disk
     */
    <T> void happened(List<T> changes, Function<? super T, Deed> shown);
}
