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
 * <p>One rule for every protocol says which refusals have a line, {@link #isToldOf}:
 *
 * <ul>
 *   <li>of any request, that a rule or a limit of the site says no: permission, ticket, quota,
 *       room, lock;
 *   <li>of a request to change or to open something, whatever else it was answered instead, once it
 *       is known what the request is about;
 *   <li>never that it was put off or sent elsewhere: it is decided when it is asked again.
 * </ul>
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

    /** For an error that {@link #isToldOf} wants. */
    void refused(Caller caller, String operation, String object, FsError error);

    /**
     * Changes that no client asked for.
     *
     * @param changes one line each
     * @param shown is called later, on a thread of the audit: it may read the disk
     */
    <T> void happened(List<T> changes, Function<? super T, Deed> shown);

    /**
     * Whether a refusal has a line.
     *
     * @param changesOrOpens the request is known to be one that changes or opens something
     */
    static boolean isToldOf(FsError error, boolean changesOrOpens) {
        return switch (error) {
            case FsError.PermissionDenied _,
                    FsError.TicketInvalid _,
                    FsError.TicketExpired _,
                    FsError.QuotaExceeded _,
                    FsError.NoSpace _,
                    FsError.FileLocked _ ->
                    true;
            case FsError.NotFound _,
                    FsError.AlreadyExists _,
                    FsError.NotDirectory _,
                    FsError.IsDirectory _,
                    FsError.NotEmpty _,
                    FsError.InvalidArgument _,
                    FsError.TooLong _,
                    FsError.Unsupported _,
                    FsError.LeaseGone _,
                    FsError.SizeMismatch _,
                    FsError.ChecksumMismatch _,
                    FsError.IoFailure _,
                    FsError.CrossDevice _,
                    FsError.Internal _ ->
                    changesOrOpens;
            case FsError.Overloaded _, FsError.Unavailable _, FsError.NotLeader _ -> false;
        };
    }
}
