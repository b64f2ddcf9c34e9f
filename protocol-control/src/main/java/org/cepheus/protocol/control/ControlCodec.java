package org.cepheus.protocol.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;
import org.cepheus.domain.command.CommandCodec;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the control connection. A frame is a 4-byte length and that many bytes: a varint
 * {@code number * 2 + 1 for answers}, one byte of type, tagged fields.
 */
final class ControlCodec {
    /** The versions this build speaks. */
    static final int MIN_VERSION = 1;

    static final int MAX_VERSION = 1;

    /** The most bytes of one frame after its length: 128 attributes of 64 KiB and their names. */
    static final int MAX_FRAME_BYTES = 9 << 20;

    /** The most contents one delete order names. */
    static final int MAX_DELETES = 10_000;

    /** The most leases one renewal names. */
    static final int MAX_OPENED = 20_000;

    private ControlCodec() {}

    /** The head of a frame: which exchange it belongs to, and what it is. */
    record Head(long number, boolean isAnswer, int type) {}

    /** A frame without its length. */
    static byte[] encode(long number, ControlMessage message) {
        var out = new ByteWriter(128);
        boolean answer = message instanceof Answer;
        out.varint(number << 1 | (answer ? 1 : 0)).u8(type(message));
        FieldWriter w = new FieldWriter(out);
        switch (message) {
            case Request request -> write(request, w);
            case Answer reply -> write(reply, w);
        }
        return out.toBytes();
    }

    private static int type(ControlMessage message) {
        return switch (message) {
            case ControlMessage.Greet _ -> 1;
            case ControlMessage.Prove _ -> 2;
            case ControlMessage.Beat _ -> 3;
            case ControlMessage.Renew _ -> 4;
            case ControlMessage.Extend _ -> 5;
            case ControlMessage.Commit _ -> 6;
            case ControlMessage.Abort _ -> 7;
            case ControlMessage.Stat _ -> 8;
            case ControlMessage.ListEntries _ -> 9;
            case ControlMessage.GetAttributes _ -> 10;
            case ControlMessage.GetSpace _ -> 11;
            case ControlMessage.Open _ -> 12;
            case ControlMessage.Change _ -> 13;
            case ControlMessage.Delete _ -> 20;
            case ControlMessage.Measure _ -> 21;
            case ControlMessage.EndUpload _ -> 22;
            case ControlMessage.ListReads _ -> 23;
            case ControlMessage.EndRead _ -> 24;
            case ControlMessage.Failed _ -> 64;
            case ControlMessage.Done _ -> 65;
            case ControlMessage.Challenge _ -> 66;
            case ControlMessage.Accepted _ -> 67;
            case ControlMessage.Amount _ -> 68;
            case ControlMessage.Status _ -> 69;
            case ControlMessage.Page _ -> 70;
            case ControlMessage.Attributes _ -> 71;
            case ControlMessage.Space _ -> 72;
            case ControlMessage.Granted _ -> 73;
            case ControlMessage.Deleted _ -> 74;
            case ControlMessage.Measured _ -> 75;
            case ControlMessage.Reads _ -> 76;
        };
    }

    private static void write(Request request, FieldWriter w) {
        switch (request) {
            case ControlMessage.Greet m ->
                    w.number(1, m.minVersion())
                            .number(2, m.maxVersion())
                            .bytes(3, hello(m.hello()))
                            .bytes(4, m.nonce().toArray());
            case ControlMessage.Prove m -> w.bytes(1, m.proof().toArray());
            case ControlMessage.Beat m -> w.bytes(1, heartbeat(m.heartbeat()));
            case ControlMessage.Renew m -> w.bytes(1, DomainCodec.encodeLeaseRefs(m.opened()));
            case ControlMessage.Extend m ->
                    w.bytes(1, DomainCodec.encode(m.caller()))
                            .bytes(2, DomainCodec.encode(m.lease()))
                            .number(3, m.wantedBytes());
            case ControlMessage.Commit m ->
                    w.bytes(1, DomainCodec.encode(m.caller()))
                            .bytes(2, CommandCodec.encode(m.commit()));
            case ControlMessage.Abort m ->
                    w.bytes(1, DomainCodec.encode(m.caller()))
                            .bytes(2, DomainCodec.encode(m.lease()))
                            .text(3, m.reason());
            case ControlMessage.Stat m -> path(w, DomainCodec.encode(m.caller()), m.path());
            case ControlMessage.ListEntries m ->
                    path(w, DomainCodec.encode(m.caller()), m.directory())
                            .text(3, m.after())
                            .number(4, m.max());
            case ControlMessage.GetAttributes m ->
                    path(w, DomainCodec.encode(m.caller()), m.path());
            case ControlMessage.GetSpace m -> path(w, DomainCodec.encode(m.caller()), m.path());
            case ControlMessage.Open m ->
                    w.bytes(1, DomainCodec.encode(m.caller()))
                            .bytes(2, PortCodec.encode(m.request()));
            case ControlMessage.Change m ->
                    w.bytes(1, DomainCodec.encode(m.caller())).bytes(2, m.mutation().toArray());
            case ControlMessage.Delete m ->
                    w.number(1, m.volumeId()).bytes(2, DomainCodec.encodeNumbers(m.dataIds()));
            case ControlMessage.Measure m ->
                    w.number(1, m.volumeId()).number(2, m.dataId()).number(3, m.restoreEpoch());
            case ControlMessage.EndUpload m ->
                    w.bytes(1, DomainCodec.encode(m.lease())).text(2, m.reason());
            case ControlMessage.ListReads m -> w.number(1, m.max());
            case ControlMessage.EndRead m -> w.number(1, m.number()).text(2, m.reason());
        }
    }

    private static FieldWriter path(FieldWriter w, byte[] caller, FsPath path) {
        return w.bytes(1, caller).text(2, path.value());
    }

    private static void write(Answer answer, FieldWriter w) {
        switch (answer) {
            case ControlMessage.Failed m -> w.bytes(1, DomainCodec.encode(m.error()));
            case ControlMessage.Done() -> {}
            case ControlMessage.Challenge m ->
                    w.number(1, m.version())
                            .bytes(2, m.nonce().toArray())
                            .bytes(3, m.proof().toArray())
                            .number(4, m.latestBoot());
            case ControlMessage.Accepted(HelloAccepted m) ->
                    w.bytes(1, new ByteWriter().uuid(m.cluster()).toBytes())
                            .number(2, m.restoreEpoch())
                            .bytes(3, DomainCodec.encode(m.leader()));
            case ControlMessage.Amount m -> w.number(1, m.bytes());
            case ControlMessage.Status m -> w.bytes(1, DomainCodec.encode(m.status()));
            case ControlMessage.Page m -> w.bytes(1, PortCodec.encode(m.page()));
            case ControlMessage.Attributes m -> w.bytes(1, attributes(m.byName()));
            case ControlMessage.Space m -> w.bytes(1, PortCodec.encode(m.report()));
            case ControlMessage.Granted m -> w.bytes(1, PortCodec.encode(m.grant()));
            case ControlMessage.Deleted m -> w.bytes(1, DomainCodec.encodeNumbers(m.dataIds()));
            case ControlMessage.Measured(DataMeasure m) ->
                    w.number(1, m.sizeBytes()).number(2, DomainCodec.nanos(m.modified()));
            case ControlMessage.Reads m -> w.bytes(1, PortCodec.encode(m.reads()));
        }
    }

    /** Reads the head; what is left in {@code in} are the fields. */
    static Head head(ByteReader in) {
        long number = in.varint();
        return new Head(number >>> 1, (number & 1) != 0, in.u8());
    }

    /**
     * Reads a request.
     *
     * @return empty if the type is not known here
     * @throws DecodeException if the fields are not those of the type
     */
    static Optional<Request> request(int type, ByteReader in) {
        var f = new FieldReader(in);
        @Nullable Request request =
                switch (type) {
                    case 1 ->
                            new ControlMessage.Greet(
                                    f.integer(1), f.integer(2), hello(f.bytes(3)), bytes(f, 4));
                    case 2 -> new ControlMessage.Prove(bytes(f, 1));
                    case 3 -> new ControlMessage.Beat(heartbeat(f.bytes(1)));
                    case 4 -> new ControlMessage.Renew(DomainCodec.leaseRefs(f.bytes(1)));
                    case 5 ->
                            new ControlMessage.Extend(
                                    DomainCodec.caller(f.bytes(1)),
                                    DomainCodec.leaseRef(f.bytes(2)),
                                    f.number(3));
                    case 6 ->
                            new ControlMessage.Commit(
                                    DomainCodec.caller(f.bytes(1)), commit(f.bytes(2)));
                    case 7 ->
                            new ControlMessage.Abort(
                                    DomainCodec.caller(f.bytes(1)),
                                    DomainCodec.leaseRef(f.bytes(2)),
                                    f.text(3));
                    case 8, 9, 10, 11, 12, 13 -> namespaceRequest(type, f);
                    case 20 ->
                            new ControlMessage.Delete(
                                    f.integer(1), DomainCodec.numbers(f.bytes(2)));
                    case 21 -> new ControlMessage.Measure(f.integer(1), f.number(2), f.integer(3));
                    case 22 ->
                            new ControlMessage.EndUpload(
                                    DomainCodec.leaseRef(f.bytes(1)), f.text(2));
                    case 23 -> new ControlMessage.ListReads(f.integer(1));
                    case 24 -> new ControlMessage.EndRead(f.number(1), f.text(2));
                    default -> null;
                };
        if (request == null) {
            return Optional.empty();
        }
        f.done();
        return Optional.of(request);
    }

    private static Request namespaceRequest(int type, FieldReader f) {
        var caller = DomainCodec.caller(f.bytes(1));
        return switch (type) {
            case 8 -> new ControlMessage.Stat(caller, FsPath.parse(f.text(2)));
            case 9 ->
                    new ControlMessage.ListEntries(
                            caller, FsPath.parse(f.text(2)), f.text(3), f.integer(4));
            case 10 -> new ControlMessage.GetAttributes(caller, FsPath.parse(f.text(2)));
            case 11 -> new ControlMessage.GetSpace(caller, FsPath.parse(f.text(2)));
            case 12 -> new ControlMessage.Open(caller, PortCodec.openRequest(f.bytes(2)));
            case 13 -> new ControlMessage.Change(caller, bytes(f, 2));
            default -> throw new IllegalArgumentException("no request of the namespace: " + type);
        };
    }

    private static LeaseCommand.Commit commit(byte[] bytes) {
        if (CommandCodec.decode(bytes) instanceof LeaseCommand.Commit commit) {
            return commit;
        }
        throw new DecodeException("a commit was expected, another command came");
    }

    /** Reads an answer; an unknown type or field is a {@link DecodeException}. */
    static Answer answer(int type, ByteReader in) {
        var f = new FieldReader(in);
        Answer answer =
                switch (type) {
                    case 64 -> new ControlMessage.Failed(DomainCodec.fsError(f.bytes(1)));
                    case 65 -> new ControlMessage.Done();
                    case 66 ->
                            new ControlMessage.Challenge(
                                    f.integer(1), bytes(f, 2), bytes(f, 3), f.number(4));
                    case 67 ->
                            new ControlMessage.Accepted(
                                    new HelloAccepted(
                                            new ByteReader(f.bytes(1)).uuid(),
                                            f.integer(2),
                                            DomainCodec.mgmAddress(f.bytes(3))));
                    case 68 -> new ControlMessage.Amount(f.number(1));
                    case 69 -> new ControlMessage.Status(DomainCodec.fileStatus(f.bytes(1)));
                    case 70 -> new ControlMessage.Page(PortCodec.page(f.bytes(1)));
                    case 71 -> new ControlMessage.Attributes(attributes(f.bytes(1)));
                    case 72 -> new ControlMessage.Space(PortCodec.spaceReport(f.bytes(1)));
                    case 73 -> new ControlMessage.Granted(PortCodec.grant(f.bytes(1)));
                    case 74 -> new ControlMessage.Deleted(DomainCodec.numbers(f.bytes(1)));
                    case 75 ->
                            new ControlMessage.Measured(
                                    new DataMeasure(f.number(1), DomainCodec.instant(f.number(2))));
                    case 76 -> new ControlMessage.Reads(PortCodec.openReads(f.bytes(1)));
                    default ->
                            throw new DecodeException(
                                    "answer type " + type + " is unknown: a newer version?");
                };
        f.done();
        return answer;
    }

    /** The bytes of a hello, which both proofs cover. */
    static byte[] hello(Hello hello) {
        var volumes = new ByteWriter().varint(hello.volumes().size());
        hello.volumes().forEach(v -> volumes.varint(v.volumeId()).text(v.uuid()));
        return new FieldWriter()
                .bytes(1, new ByteWriter().uuid(hello.cluster()).toBytes())
                .number(2, hello.bootId())
                .bytes(3, DomainCodec.encode(hello.address()))
                .bytes(4, volumes.toBytes())
                .toBytes();
    }

    private static Hello hello(byte[] bytes) {
        var f = new FieldReader(bytes);
        var r = new ByteReader(f.bytes(4));
        var volumes = new ArrayList<FleetCommand.Volume>();
        for (int n = r.count(Hello.MAX_VOLUMES); n > 0; n--) {
            volumes.add(new FleetCommand.Volume(r.count(Integer.MAX_VALUE), r.text()));
        }
        var hello =
                new Hello(
                        new ByteReader(f.bytes(1)).uuid(),
                        f.number(2),
                        DomainCodec.fstAddress(f.bytes(3)),
                        volumes);
        f.done();
        return hello;
    }

    private static byte[] heartbeat(Heartbeat heartbeat) {
        var w = new ByteWriter().varint(heartbeat.streams()).varint(heartbeat.volumes().size());
        for (Heartbeat.VolumeLoad load : heartbeat.volumes()) {
            w.varint(load.volumeId()).varint(load.totalBytes()).varint(load.freeBytes());
            w.text(load.device());
            w.u8(load.usable() ? 1 : 0);
        }
        return w.toBytes();
    }

    private static Heartbeat heartbeat(byte[] bytes) {
        var r = new ByteReader(bytes);
        int streams = r.count(Integer.MAX_VALUE);
        var loads = new ArrayList<Heartbeat.VolumeLoad>();
        for (int n = r.count(Hello.MAX_VOLUMES); n > 0; n--) {
            loads.add(
                    new Heartbeat.VolumeLoad(
                            r.count(Integer.MAX_VALUE),
                            r.varint(),
                            r.varint(),
                            r.text(),
                            r.u8() != 0));
        }
        return new Heartbeat(loads, streams);
    }

    private static byte[] attributes(Map<String, Bytes> byName) {
        var w = new ByteWriter().varint(byName.size());
        for (String name : List.copyOf(byName.keySet())) {
            w.text(name).blob(byName.getOrDefault(name, Bytes.copyOf(new byte[0])).toArray());
        }
        return w.toBytes();
    }

    private static Map<String, Bytes> attributes(byte[] bytes) {
        var r = new ByteReader(bytes);
        var byName = new HashMap<String, Bytes>();
        for (int n = r.count(10_000); n > 0; n--) {
            byName.put(r.text(), Bytes.copyOf(r.blob()));
        }
        return byName;
    }

    private static Bytes bytes(FieldReader f, int tag) {
        return Bytes.copyOf(f.bytes(tag));
    }
}
