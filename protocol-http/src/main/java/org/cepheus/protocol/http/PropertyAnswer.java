package org.cepheus.protocol.http;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.SpaceReport;

/** The answer to a PROPFIND: what was asked for of an entry, or of a directory and its entries. */
final class PropertyAnswer implements EntryStream.Format {
    /** All that the properties of an entry come from, but for its name. */
    record Of(FileStatus status, Map<String, Bytes> attributes, Optional<SpaceReport> space) {
        Of {
            attributes = Map.copyOf(attributes);
        }
    }

    private final FsPath path;
    private final Of self;

    /** What the encoded paths of all entries begin with. */
    private final String directory;

    private final PropertyRequest request;
    private final Set<Property> live = EnumSet.noneOf(Property.class);
    private final Set<PropertyRequest.Name> dead = new LinkedHashSet<>();

    PropertyAnswer(FsPath path, Of self, PropertyRequest request) {
        this.path = path;
        this.self = self;
        this.directory = PercentCoding.encode(path.isRoot() ? "/" : path.value() + "/");
        this.request = request;
        if (request.kind() != PropertyRequest.Kind.SOME) {
            EnumSet.allOf(Property.class).stream()
                    .filter(each ->
                            request.kind() == PropertyRequest.Kind.NAMES || each.isInAllprop())
                    .forEach(live::add);
        }
        for (PropertyRequest.Name name : request.names()) {
            Property.named(name).ifPresentOrElse(live::add, () -> dead.add(name));
        }
    }

    /** True if room and quotas were asked for, which cost a question of their own. */
    static boolean needsSpace(PropertyRequest request) {
        return request.names().contains(Property.QUOTA_AVAILABLE.fullName())
                || request.names().contains(Property.QUOTA_USED.fullName());
    }

    /** True if attributes were asked for, which cost a question for each entry that has some. */
    static boolean needsAttributes(PropertyRequest request) {
        return request.kind() != PropertyRequest.Kind.SOME
                || request.names().stream()
                        .anyMatch(name ->
                                Property.named(name).isEmpty() && !Property.isProtected(name));
    }

    @Override
    public boolean needsAttributes() {
        return needsAttributes(request);
    }

    @Override
    public void begin(StringBuilder out) {
        MultiStatus.open(out);
        response(PercentCoding.encode(path.value()), path.name(), self, out);
    }

    @Override
    public void entry(DirectoryPage.Entry entry, Map<String, Bytes> attributes, StringBuilder out) {
        response(
                directory + PercentCoding.encode(entry.name()),
                entry.name(),
                new Of(entry.status(), attributes, Optional.empty()),
                out);
    }

    @Override
    public void end(StringBuilder out) {
        MultiStatus.close(out);
    }

    private void response(String encodedPath, String name, Of of, StringBuilder out) {
        MultiStatus.beginResponse(encodedPath, of.status().isDirectory(), out);
        var found = new StringBuilder();
        List<PropertyRequest.Name> missing = new ArrayList<>(0);
        for (Property each : live) {
            each.value(name, of.status(), of.space())
                    .ifPresentOrElse(
                            value -> element(each.fullName(), value, found),
                            () -> missing.add(each.fullName()));
        }
        for (PropertyRequest.Name each : dead) {
            Bytes value = of.attributes().get(DeadProperties.attribute(each));
            if (value == null) {
                missing.add(each);
            } else {
                found.append(DeadProperties.element(each, value));
            }
        }
        if (request.kind() != PropertyRequest.Kind.SOME) {
            DeadProperties.each(of.attributes(), (each, value) -> allDead(each, value, found));
        }
        if (!found.isEmpty() || request.names().isEmpty()) {
            MultiStatus.propstat(found, "200 OK", "", out);
        }
        missing.removeIf(each -> !request.names().contains(each));
        if (!missing.isEmpty()) {
            var absent = new StringBuilder();
            missing.forEach(each -> MultiStatus.element(each, "", absent));
            MultiStatus.propstat(absent, "404 Not Found", "", out);
        }
        MultiStatus.endResponse(out);
    }

    private void allDead(PropertyRequest.Name name, Bytes value, StringBuilder found) {
        if (dead.contains(name)) {
            return;
        }
        if (request.kind() == PropertyRequest.Kind.NAMES) {
            MultiStatus.element(name, "", found);
        } else {
            found.append(DeadProperties.element(name, value));
        }
    }

    private void element(PropertyRequest.Name name, String value, StringBuilder out) {
        MultiStatus.element(name, request.kind() == PropertyRequest.Kind.NAMES ? "" : value, out);
    }
}
