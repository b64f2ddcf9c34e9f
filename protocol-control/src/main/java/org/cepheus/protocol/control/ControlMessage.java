package org.cepheus.protocol.control;

import java.util.List;
import java.util.Map;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.SpaceReport;

/** What MGM and FST say to each other, as data. */
sealed interface ControlMessage {
    /** Wants an answer under the same number. */
    sealed interface Request extends ControlMessage {}

    /** Ends a request. */
    sealed interface Answer extends ControlMessage {}

    /** An FST introduces itself; the nonce makes the answer unrepeatable. */
    record Greet(int minVersion, int maxVersion, Hello hello, Bytes nonce) implements Request {}

    /** The FST proves that it has its key. */
    record Prove(Bytes proof) implements Request {}

    record Beat(Heartbeat heartbeat) implements Request {}

    record Renew(List<LeaseRef> opened) implements Request {
        public Renew {
            opened = List.copyOf(opened);
        }
    }

    record Extend(Caller caller, LeaseRef lease, long wantedBytes) implements Request {}

    record Commit(Caller caller, LeaseCommand.Commit commit) implements Request {}

    record Abort(Caller caller, LeaseRef lease, String reason) implements Request {}

    record Stat(Caller caller, FsPath path) implements Request {}

    record ListEntries(Caller caller, FsPath directory, String after, int max) implements Request {}

    record GetAttributes(Caller caller, FsPath path) implements Request {}

    record GetSpace(Caller caller, FsPath path) implements Request {}

    record Open(Caller caller, OpenRequest request) implements Request {}

    /** A mutation in the bytes of {@link org.cepheus.domain.command.CommandCodec}. */
    record Change(Caller caller, Bytes mutation) implements Request {}

    /** The MGM orders contents to be deleted. */
    record Delete(int volumeId, List<Long> dataIds) implements Request {
        public Delete {
            dataIds = List.copyOf(dataIds);
        }
    }

    /**
     * The MGM wants to know how much data a content has; whoever writes to it has lost its lease.
     */
    record Measure(int volumeId, long dataId, int restoreEpoch) implements Request {}

    /** The MGM has aborted the lease of an upload, and its client is to hear it now. */
    record EndUpload(LeaseRef lease, String reason) implements Request {}

    /** The MGM wants to know what is being read. */
    record ListReads(int max) implements Request {}

    /** The MGM has a download ended; the number is that of the list. */
    record EndRead(long number, String reason) implements Request {}

    record Failed(FsError error) implements Answer {}

    record Done() implements Answer {}

    /**
     * The MGM speaks that version, proves its key and wants the FST's proof; the latest boot of the
     * FST that it knows is that.
     */
    record Challenge(int version, Bytes nonce, Bytes proof, long latestBoot) implements Answer {}

    record Accepted(HelloAccepted accepted) implements Answer {}

    record Amount(long bytes) implements Answer {}

    record Status(FileStatus status) implements Answer {}

    record Page(DirectoryPage page) implements Answer {}

    record Attributes(Map<String, Bytes> byName) implements Answer {
        public Attributes {
            byName = Map.copyOf(byName);
        }
    }

    record Space(SpaceReport report) implements Answer {}

    record Measured(DataMeasure measure) implements Answer {}

    record Reads(OpenReads reads) implements Answer {}

    record Granted(Grant grant) implements Answer {}

    /** These contents are gone from the volume, or never were there. */
    record Deleted(List<Long> dataIds) implements Answer {
        public Deleted {
            dataIds = List.copyOf(dataIds);
        }
    }
}
