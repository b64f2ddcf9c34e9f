package org.cepheus.domain.command;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.Bytes;

/** What a client may ask to change by path. The reply is that it is done, or an error. */
public sealed interface Mutation extends Command {
    FsPath path();

    /** With {@code parents} missing parents are made and an existing directory is no error. */
    record MakeDirectory(FsPath path, int mode, boolean parents) implements Mutation {}

    /** Also aborts every upload running under that name. */
    record RemoveFile(FsPath path) implements Mutation {}

    /** Only an empty directory without running uploads. */
    record RemoveDirectory(FsPath path) implements Mutation {}

    /** With {@code replace} an existing file at the target is replaced; never a directory. */
    record Rename(FsPath path, FsPath target, boolean replace) implements Mutation {}

    record SetMode(FsPath path, int mode) implements Mutation {}

    /** Absent names stay as they are. */
    record SetOwner(FsPath path, Optional<String> owner, Optional<String> group)
            implements Mutation {}

    record SetModified(FsPath path, Instant modified) implements Mutation {}

    /** Names start with {@code user.} or, for superusers, {@code sys.}. */
    record SetAttribute(FsPath path, String name, Bytes value, boolean onlyNew)
            implements Mutation {}

    record RemoveAttribute(FsPath path, String name) implements Mutation {}

    /**
     * Several attributes at once, all or none (WebDAV's PROPPATCH). Removing one that is not there
     * is no error; 1 to {@link #MAX_CHANGES} of them, each name once.
     */
    record ChangeAttributes(FsPath path, List<AttributeChange> changes) implements Mutation {
        public ChangeAttributes {
            changes = List.copyOf(changes);
            if (changes.isEmpty() || changes.size() > MAX_CHANGES) {
                throw new FsException(
                        new FsError.TooLong(
                                "one request changes 1 to %d attributes, not %d"
                                        .formatted(MAX_CHANGES, changes.size())));
            }
            if (changes.stream().map(AttributeChange::name).distinct().count() < changes.size()) {
                throw new FsException(
                        new FsError.InvalidArgument(
                                "an attribute is changed twice in one request"));
            }
        }
    }

    /** The most attributes that one {@link ChangeAttributes} names. */
    int MAX_CHANGES = 128;

    /** The new value of an attribute; absent to remove it. */
    record AttributeChange(String name, Optional<Bytes> value) {}

    /**
     * Makes the directory a quota node if it is none and sets limits of one row of it. Where much
     * lies below already, the node is counted first and refuses nothing until that is done. The
     * principal is empty for the project.
     */
    record SetQuota(FsPath path, QuotaKind kind, String principal, QuotaChange limits)
            implements Mutation {
        /** Hard limits only. */
        public SetQuota(
                FsPath path,
                QuotaKind kind,
                String principal,
                OptionalLong limitBytes,
                OptionalLong limitFiles) {
            this(path, kind, principal, QuotaChange.hard(limitBytes, limitFiles));
        }
    }

    /**
     * The same for every user, or every group, of the node that has no limit of its own; not for
     * the project.
     */
    record SetDefaultQuota(FsPath path, QuotaKind kind, QuotaChange limits) implements Mutation {}

    /** The directory is a quota node no more: all its limits go. */
    record RemoveQuota(FsPath path) implements Mutation {}

    /**
     * The other change, but only if there is a file at its path whose content has that version;
     * else AlreadyExists, and nothing changes. So that two clients that change what they have read
     * do not undo each other's work unseen.
     */
    record IfVersion(long version, Mutation change) implements Mutation {
        public IfVersion {
            if (change instanceof IfVersion) {
                throw new FsException(
                        new FsError.InvalidArgument("a change has one condition, not two"));
            }
        }

        @Override
        public FsPath path() {
            return change.path();
        }
    }
}
