package org.cepheus.protocol.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.DownloadService;
import org.cepheus.domain.port.DownloadService.Download;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import org.cepheus.domain.port.SpaceReport;

/** The bytes of what {@link org.cepheus.domain.port.NamespaceService} takes and gives. */
final class PortCodec {
    /** The most entries of one page of a directory: with the longest names still one frame. */
    static final int MAX_PAGE_ENTRIES = 4_000;

    private static final int MAX_AVOIDED = 1_000;
    private static final int MAX_QUOTA_ROWS = 10_000;

    private PortCodec() {}

    static byte[] encode(OpenRequest request) {
        var w = new FieldWriter().text(1, request.path().value());
        request.writing().ifPresent(intent -> w.number(2, intent.code()));
        w.flag(3, request.makeParents())
                .number(4, request.mode())
                .number(5, request.declaredSizeBytes());
        if (request.atFst().isPresent()) {
            w.number(6, request.atFst().getAsInt());
        }
        var fsts = new ByteWriter().varint(request.avoidFsts().size());
        request.avoidFsts().forEach(fsts::varint);
        var hosts = new ByteWriter().varint(request.avoidHosts().size());
        request.avoidHosts().forEach(hosts::text);
        return w.bytes(7, fsts.toBytes()).bytes(8, hosts.toBytes()).toBytes();
    }

    static OpenRequest openRequest(byte[] bytes) {
        var f = new FieldReader(bytes);
        OptionalLong intent = f.optionalNumber(2);
        OptionalLong atFst = f.optionalNumber(6);
        var request =
                new OpenRequest(
                        FsPath.parse(f.text(1)),
                        intent.isPresent()
                                ? Optional.of(
                                        DomainCodec.one(
                                                LeaseCommand.Intent.values(),
                                                Math.clamp(intent.getAsLong(), 0, 100)))
                                : Optional.empty(),
                        f.flag(3),
                        f.integer(4),
                        f.optionalNumber(5),
                        atFst.isPresent()
                                ? OptionalInt.of(Math.toIntExact(atFst.getAsLong()))
                                : OptionalInt.empty(),
                        integers(f.bytes(7)),
                        texts(f.bytes(8)));
        f.done();
        return request;
    }

    private static List<Integer> integers(byte[] bytes) {
        var r = new ByteReader(bytes);
        var integers = new ArrayList<Integer>();
        for (int n = r.count(MAX_AVOIDED); n > 0; n--) {
            integers.add(r.count(Integer.MAX_VALUE));
        }
        return integers;
    }

    private static List<String> texts(byte[] bytes) {
        var r = new ByteReader(bytes);
        var texts = new ArrayList<String>();
        for (int n = r.count(MAX_AVOIDED); n > 0; n--) {
            texts.add(r.text());
        }
        return texts;
    }

    static byte[] encode(DirectoryPage page) {
        var entries = new ByteWriter(64 + page.entries().size() * 128);
        entries.varint(page.entries().size());
        for (DirectoryPage.Entry entry : page.entries()) {
            entries.text(entry.name()).blob(DomainCodec.encode(entry.status()));
        }
        return new FieldWriter().bytes(1, entries.toBytes()).text(2, page.next()).toBytes();
    }

    static DirectoryPage page(byte[] bytes) {
        var f = new FieldReader(bytes);
        var r = new ByteReader(f.bytes(1));
        var entries = new ArrayList<DirectoryPage.Entry>();
        for (int n = r.count(MAX_PAGE_ENTRIES); n > 0; n--) {
            entries.add(new DirectoryPage.Entry(r.text(), DomainCodec.fileStatus(r.blob())));
        }
        var page = new DirectoryPage(entries, f.optionalText(2));
        f.done();
        return page;
    }

    static byte[] encode(Grant grant) {
        var w = new FieldWriter().text(1, grant.sealedTicket());
        w.bytes(2, DomainCodec.encode(grant.fst()));
        grant.status().ifPresent(status -> w.bytes(3, DomainCodec.encode(status)));
        return w.toBytes();
    }

    static Grant grant(byte[] bytes) {
        var f = new FieldReader(bytes);
        var grant =
                new Grant(
                        f.text(1),
                        DomainCodec.fstAddress(f.bytes(2)),
                        f.optionalBytes(3).map(DomainCodec::fileStatus));
        f.done();
        return grant;
    }

    static byte[] encode(SpaceReport report) {
        var rows = new ByteWriter().varint(report.quotas().size());
        report.quotas().forEach(row -> rows.blob(encode(row)));
        return new FieldWriter()
                .number(1, report.totalBytes())
                .number(2, report.freeBytes())
                .bytes(3, rows.toBytes())
                .toBytes();
    }

    static SpaceReport spaceReport(byte[] bytes) {
        var f = new FieldReader(bytes);
        var r = new ByteReader(f.bytes(3));
        var rows = new ArrayList<QuotaReport>();
        for (int n = r.count(MAX_QUOTA_ROWS); n > 0; n--) {
            rows.add(quotaReport(r.blob()));
        }
        var report = new SpaceReport(f.number(1), f.number(2), rows);
        f.done();
        return report;
    }

    static byte[] encode(OpenReads reads) {
        var w = new ByteWriter().varint(reads.count()).varint(reads.oldest().size());
        reads.oldest().forEach(each -> w.blob(encode(each)));
        return w.toBytes();
    }

    static OpenReads openReads(byte[] bytes) {
        var r = new ByteReader(bytes);
        int count = r.count(Integer.MAX_VALUE);
        var oldest = new ArrayList<Download>();
        for (int n = r.count(DownloadService.MAX_OF_FST); n > 0; n--) {
            oldest.add(download(r.blob()));
        }
        return new OpenReads(oldest, count);
    }

    private static byte[] encode(Download download) {
        return new FieldWriter()
                .number(1, download.fstId())
                .number(2, download.number())
                .text(3, download.path().value())
                .text(4, download.user())
                .text(5, download.client())
                .number(6, DomainCodec.nanos(download.since()))
                .number(7, download.sizeBytes())
                .number(8, download.readBytes())
                .text(9, download.trace())
                .toBytes();
    }

    private static Download download(byte[] bytes) {
        var f = new FieldReader(bytes);
        var download =
                new Download(
                        f.integer(1),
                        f.number(2),
                        FsPath.parse(f.text(3)),
                        f.text(4),
                        f.text(5),
                        DomainCodec.instant(f.number(6)),
                        f.number(7),
                        f.number(8),
                        f.text(9));
        f.done();
        return download;
    }

    private static byte[] encode(QuotaReport row) {
        var w =
                new FieldWriter()
                        .text(1, row.node().value())
                        .number(2, row.kind().code())
                        .text(3, row.principal())
                        .number(4, row.limitBytes())
                        .number(5, row.limitFiles())
                        .number(6, row.usedBytes())
                        .number(7, row.usedFiles())
                        .number(8, row.reservedBytes())
                        .number(9, row.reservedFiles())
                        .number(10, row.softBytes())
                        .number(11, row.softFiles())
                        .flag(12, row.byDefault());
        return switch (row.state()) {
            case NodeState.Active _ -> w.toBytes();
            case NodeState.Counting c ->
                    w.number(13, DomainCodec.nanos(c.since()))
                            .number(14, c.seenEntries())
                            .number(15, c.mostEntries())
                            .toBytes();
        };
    }

    private static QuotaReport quotaReport(byte[] bytes) {
        var f = new FieldReader(bytes);
        var row =
                new QuotaReport(
                        FsPath.parse(f.text(1)),
                        DomainCodec.one(QuotaKind.values(), f.integer(2)),
                        f.text(3),
                        f.optionalNumber(4),
                        f.optionalNumber(5),
                        f.number(6),
                        f.number(7),
                        f.number(8),
                        f.number(9),
                        f.optionalNumber(10),
                        f.optionalNumber(11),
                        f.flag(12),
                        nodeState(f));
        f.done();
        return row;
    }

    private static NodeState nodeState(FieldReader f) {
        OptionalLong since = f.optionalNumber(13);
        long seen = f.number(14, 0);
        long most = f.number(15, 0);
        return since.isEmpty()
                ? new NodeState.Active()
                : new NodeState.Counting(DomainCodec.instant(since.getAsLong()), seen, most);
    }
}
