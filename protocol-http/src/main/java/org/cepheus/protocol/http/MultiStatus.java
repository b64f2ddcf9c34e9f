package org.cepheus.protocol.http;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.SpaceReport;

/** The answer to a PROPFIND: what was asked for of an entry, or of a directory and its entries. */
final class MultiStatus implements EntryStream.Format {
    private final FsPath path;
    private final FileStatus self;
    private final PropertyRequest request;
    private final Set<Property> wanted = EnumSet.noneOf(Property.class);
    private final List<PropertyRequest.Name> unknown = new ArrayList<>();
    private final Optional<SpaceReport> space;

    MultiStatus(
            FsPath path, FileStatus self, PropertyRequest request, Optional<SpaceReport> space) {
        this.path = path;
        this.self = self;
        this.request = request;
        this.space = space;
        switch (request.kind()) {
            case ALL ->
                    EnumSet.allOf(Property.class).stream()
                            .filter(Property::isInAllprop)
                            .forEach(wanted::add);
            case NAMES -> wanted.addAll(EnumSet.allOf(Property.class));
            case SOME ->
                    request.names()
                            .forEach(name ->
                                    Property.named(name)
                                            .ifPresentOrElse(wanted::add, () -> unknown.add(name)));
        }
    }

    /** True if room and quotas were asked for, which cost a question of their own. */
    static boolean asksForSpace(PropertyRequest request) {
        return request.names().contains(Property.QUOTA_AVAILABLE.fullName())
                || request.names().contains(Property.QUOTA_USED.fullName());
    }

    @Override
    public void begin(StringBuilder out) {
        out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\"")
                .append(" xmlns:oc=\"http://owncloud.org/ns\" xmlns:L=\"LCGDM:\">\n");
        response(path, path.name(), self, space, out);
    }

    @Override
    public void entry(DirectoryPage.Entry entry, StringBuilder out) {
        response(path.child(entry.name()), entry.name(), entry.status(), Optional.empty(), out);
    }

    @Override
    public void end(StringBuilder out) {
        out.append("</D:multistatus>\n");
    }

    private void response(
            FsPath of,
            String name,
            FileStatus status,
            Optional<SpaceReport> room,
            StringBuilder out) {
        String slash = status.isDirectory() && !of.isRoot() ? "/" : "";
        out.append("<D:response><D:href>")
                .append(PercentCoding.encode(of.value()))
                .append(slash)
                .append("</D:href>");
        var missing = new ArrayList<>(unknown);
        var found = new StringBuilder();
        for (Property each : wanted) {
            each.value(name, status, room)
                    .ifPresentOrElse(
                            value -> element(each.fullName(), value, found),
                            () -> missing.add(each.fullName()));
        }
        if (!found.isEmpty() || request.names().isEmpty()) {
            propstat(found, "200 OK", out);
        }
        if (request.kind() == PropertyRequest.Kind.SOME && !missing.isEmpty()) {
            var absent = new StringBuilder();
            missing.forEach(each -> element(each, "", absent));
            propstat(absent, "404 Not Found", out);
        }
        out.append("</D:response>\n");
    }

    private static void propstat(CharSequence properties, String status, StringBuilder out) {
        out.append("<D:propstat><D:prop>")
                .append(properties)
                .append("</D:prop><D:status>HTTP/1.1 ")
                .append(status)
                .append("</D:status></D:propstat>");
    }

    private void element(PropertyRequest.Name name, String value, StringBuilder out) {
        String prefix =
                switch (name.namespace()) {
                    case "DAV:" -> "D:";
                    case "http://owncloud.org/ns" -> "oc:";
                    case "LCGDM:" -> "L:";
                    default -> "";
                };
        out.append('<').append(prefix).append(name.local());
        if (prefix.isEmpty()) {
            out.append(" xmlns=\"").append(Xml.escape(name.namespace())).append('"');
        }
        boolean empty = value.isEmpty() || request.kind() == PropertyRequest.Kind.NAMES;
        if (empty) {
            out.append("/>");
        } else {
            out.append('>').append(value).append("</").append(prefix).append(name.local());
            out.append('>');
        }
    }
}
