package org.cepheus.admin;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.DownloadService.Download;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.OperatorService.ClusterStatus;
import org.cepheus.domain.port.OperatorService.FstStatus;
import org.cepheus.domain.port.OperatorService.MemberStatus;
import org.cepheus.domain.port.OperatorService.Transfer;
import org.cepheus.domain.port.OperatorService.VolumeStatus;
import org.cepheus.domain.port.SessionService;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of each answer, as openapi.yaml describes it. Sizes are bytes, times are ISO-8601 UTC; a
 * number that is not there is left out.
 */
final class Documents {
    private Documents() {}

    static ObjectNode status(ClusterStatus status) {
        ObjectNode node = object();
        node.put("cluster", status.cluster());
        node.put("member", status.memberId());
        node.put("role", status.role());
        status.leader().ifPresent(leader -> node.set("leader", leader(leader)));
        node.put("term", status.term());
        node.put("committedIndex", status.committedIndex());
        node.put("appliedIndex", status.appliedIndex());
        ArrayNode members = node.putArray("members");
        status.members().forEach(member -> members.add(member(member)));
        node.put("files", status.files());
        node.put("directories", status.directories());
        node.put("usedBytes", status.usedBytes());
        ArrayNode fsts = node.putArray("fsts");
        status.fsts().forEach(fst -> fsts.add(fst(fst)));
        ArrayNode volumes = node.putArray("volumes");
        status.volumes().forEach(volume -> volumes.add(volume(volume)));
        return node;
    }

    private static ObjectNode member(MemberStatus member) {
        ObjectNode node = object().put("id", member.id()).put("role", member.role());
        putIfPresent(node, "lagEntries", member.lagEntries());
        putIfPresent(node, "silentMillis", member.silentMillis());
        return node;
    }

    private static ObjectNode leader(MgmAddress leader) {
        return object().put("host", leader.host())
                .put("xrootdPort", leader.xrootdPort())
                .put("httpPort", leader.httpPort())
                .put("adminPort", leader.adminPort());
    }

    private static ObjectNode fst(FstStatus fst) {
        return object().put("id", fst.address().fstId())
                .put("host", fst.address().host())
                .put("xrootdPort", fst.address().xrootdPort())
                .put("httpPort", fst.address().httpPort())
                .put("alive", fst.alive())
                .put("lastSeen", fst.lastSeen().toString())
                .put("streams", fst.streams());
    }

    private static ObjectNode volume(VolumeStatus volume) {
        return object().put("id", volume.volumeId())
                .put("totalBytes", volume.totalBytes())
                .put("freeBytes", volume.freeBytes())
                .put("usable", volume.usable());
    }

    static ObjectNode entry(FsPath path, FileStatus status) {
        return describe(object().put("path", path.value()), status);
    }

    static ObjectNode entries(FsPath directory, DirectoryPage page) {
        ObjectNode node = object().put("path", directory.value());
        ArrayNode entries = node.putArray("entries");
        page.entries()
                .forEach(entry ->
                        entries.add(describe(object().put("name", entry.name()), entry.status())));
        page.next().ifPresent(next -> node.put("next", next));
        return node;
    }

    private static ObjectNode describe(ObjectNode node, FileStatus status) {
        node.put("kind", word(status.kind()))
                .put("inode", status.inode())
                .put("version", status.contentVersion())
                .put("sizeBytes", status.sizeBytes())
                .put("mode", String.format(Locale.ROOT, "%04o", status.mode()))
                .put("owner", status.owner())
                .put("group", status.group())
                .put("modified", status.modified().toString())
                .put("changed", status.changed().toString())
                .put("born", status.born().toString())
                .put("underUpdate", status.underUpdate());
        ObjectNode checksums = node.putObject("checksums");
        if (!status.underUpdate()) {
            for (Checksum checksum : status.checksums()) {
                checksums.put(checksum.type().word(), checksum.hex());
            }
        }
        return node;
    }

    private static String word(FileKind kind) {
        return switch (kind) {
            case FILE -> "file";
            case DIRECTORY -> "directory";
            case SYMLINK -> "symlink";
        };
    }

    static ObjectNode transfer(Transfer transfer) {
        ObjectNode node = object();
        putIfPresent(node, "id", transfer.id());
        node.put("path", transfer.path().value())
                .put("fst", transfer.fstId())
                .put("user", transfer.user())
                .put("client", transfer.client())
                .put("since", transfer.since().toString());
        putIfPresent(node, "declaredBytes", transfer.declaredBytes());
        return node.put("reservedBytes", transfer.reservedBytes())
                .put("state", transfer.state())
                .put("trace", transfer.trace());
    }

    static ObjectNode download(Download download) {
        return object().put("fst", download.fstId())
                .put("number", download.number())
                .put("path", download.path().value())
                .put("user", download.user())
                .put("client", download.client())
                .put("since", download.since().toString())
                .put("sizeBytes", download.sizeBytes())
                .put("readBytes", download.readBytes())
                .put("trace", download.trace());
    }

    static ObjectNode health(HealthRegistry.Report report) {
        ObjectNode node = object().put("status", report.worst().word());
        ArrayNode checks = node.putArray("checks");
        for (HealthRegistry.Finding finding : report.findings()) {
            ObjectNode check =
                    object().put("name", finding.check())
                            .put("status", finding.result().level().word())
                            .put("message", finding.result().message());
            finding.result()
                    .found()
                    .ifPresent(code -> check.put("code", code.word()).put("advice", code.advice()));
            checks.add(check);
        }
        return node;
    }

    /** Every code that an answer or a health check may have. */
    static ObjectNode catalogue() {
        ObjectNode node = object();
        ArrayNode errors = node.putArray("errors");
        for (ErrorKind kind : ErrorKind.values()) {
            errors.add(
                    object().put("code", kind.word())
                            .put("status", kind.status())
                            .put("xrootd", kind.xrootd())
                            .put("meaning", kind.meaning())
                            .put("advice", kind.advice()));
        }
        ArrayNode health = node.putArray("health");
        for (HealthCode code : HealthCode.values()) {
            health.add(
                    object().put("code", code.word())
                            .put("level", code.level().word())
                            .put("meaning", code.meaning())
                            .put("advice", code.advice()));
        }
        return node;
    }

    static ObjectNode space(FsPath path, SpaceReport space) {
        ObjectNode node =
                object().put("path", path.value())
                        .put("totalBytes", space.totalBytes())
                        .put("freeBytes", space.freeBytes())
                        .put("availableBytes", space.availableBytes());
        ArrayNode quotas = node.putArray("quotas");
        space.quotas().forEach(row -> quotas.add(QuotaDocuments.quota(row)));
        return node;
    }

    static ObjectNode settings(List<FleetService.Setting> settings) {
        ObjectNode node = object();
        ArrayNode rows = node.putArray("settings");
        settings.forEach(
                each -> rows.add(object().put("key", each.key()).put("value", each.value())));
        return node;
    }

    static ObjectNode node(FleetService.Node node) {
        return switch (node) {
            case FleetService.Node.Mgm mgm -> {
                ObjectNode row =
                        object().put("id", mgm.id())
                                .put("kind", "mgm")
                                .put("host", mgm.address().host())
                                .put("xrootdPort", mgm.address().xrootdPort())
                                .put("httpPort", mgm.address().httpPort())
                                .put("adminPort", mgm.address().adminPort())
                                .put("role", mgm.role());
                putIfPresent(row, "lagEntries", mgm.lagEntries());
                putIfPresent(row, "silentMillis", mgm.silentMillis());
                yield row;
            }
            case FleetService.Node.Fst fst -> {
                ObjectNode row =
                        object().put("id", "fst" + fst.address().fstId())
                                .put("kind", "fst")
                                .put("number", fst.address().fstId())
                                .put("host", fst.address().host())
                                .put("xrootdPort", fst.address().xrootdPort())
                                .put("httpPort", fst.address().httpPort())
                                .put("state", fst.state().word())
                                .put("alive", fst.alive());
                fst.lastSeen().ifPresent(seen -> row.put("lastSeen", seen.toString()));
                row.put("streams", fst.streams());
                ArrayNode volumes = row.putArray("volumes");
                fst.volumes().forEach(volumes::add);
                yield row;
            }
        };
    }

    static ObjectNode fileSystem(FleetService.FileSystem each) {
        ObjectNode row =
                object().put("id", each.id())
                        .put("uuid", each.uuid())
                        .put("state", each.state().word())
                        .put("usable", each.usable())
                        .put("totalBytes", each.totalBytes())
                        .put("freeBytes", each.freeBytes())
                        .put("uploads", each.uploads());
        ArrayNode fsts = row.putArray("fsts");
        each.fsts().forEach(fsts::add);
        return row;
    }

    static ObjectNode space(FleetService.Space space) {
        ObjectNode row =
                object().put("name", space.name())
                        .put("totalBytes", space.totalBytes())
                        .put("freeBytes", space.freeBytes())
                        .put("usedBytes", space.usedBytes())
                        .put("files", space.files())
                        .put("writable", space.writable());
        ArrayNode volumes = row.putArray("volumes");
        space.volumes().forEach(volumes::add);
        return row;
    }

    static ObjectNode session(SessionService.Session session) {
        return object().put("id", session.number())
                .put("protocol", session.protocol())
                .put("user", session.user())
                .put("client", session.client())
                .put("since", session.since().toString());
    }

    static ObjectNode event(EventFeed.Event event) {
        ObjectNode node =
                object().put("index", event.index())
                        .put("time", event.time().toString())
                        .put("type", event.type().word());
        if (!event.path().isEmpty()) {
            node.put("path", event.path());
        }
        node.put("user", event.user()).put("client", event.client()).put("trace", event.trace());
        putIfPresent(node, "sizeBytes", event.sizeBytes());
        ObjectNode details = node.putObject("details");
        new TreeMap<>(event.details()).forEach(details::put);
        return node;
    }

    private static void putIfPresent(ObjectNode node, String name, OptionalLong value) {
        if (value.isPresent()) {
            node.put(name, value.getAsLong());
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
