package org.cepheus.protocol.http;

import java.util.Locale;
import java.util.Optional;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.port.SpaceReport;

/** The properties that entries have, with their namespaces. */
enum Property {
    RESOURCETYPE("DAV:", "resourcetype", true),
    DISPLAYNAME("DAV:", "displayname", true),
    CREATIONDATE("DAV:", "creationdate", true),
    GETLASTMODIFIED("DAV:", "getlastmodified", true),
    GETCONTENTLENGTH("DAV:", "getcontentlength", true),
    GETCONTENTTYPE("DAV:", "getcontenttype", true),
    GETETAG("DAV:", "getetag", true),
    QUOTA_AVAILABLE("DAV:", "quota-available-bytes", false),
    QUOTA_USED("DAV:", "quota-used-bytes", false),
    CHECKSUMS("http://owncloud.org/ns", "checksums", false),
    MODE("LCGDM:", "mode", false);

    private final PropertyRequest.Name name;
    private final boolean inAllprop;

    Property(String namespace, String local, boolean inAllprop) {
        this.name = new PropertyRequest.Name(namespace, local);
        this.inAllprop = inAllprop;
    }

    PropertyRequest.Name fullName() {
        return name;
    }

    /** Quotas and checksums come only when they are asked for by name (RFC 4331 section 2). */
    boolean isInAllprop() {
        return inAllprop;
    }

    /** True for what this server makes itself: PROPPATCH does not change it. */
    static boolean isProtected(PropertyRequest.Name name) {
        return name.namespace().equals("DAV:") || named(name).isPresent();
    }

    static Optional<Property> named(PropertyRequest.Name name) {
        for (Property each : values()) {
            if (each.name.equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The value as XML inside the property's element; absent if the entry has none. */
    Optional<String> value(String entryName, FileStatus status, Optional<SpaceReport> space) {
        return switch (this) {
            case RESOURCETYPE -> Optional.of(status.isDirectory() ? "<D:collection/>" : "");
            case DISPLAYNAME -> Optional.of(Xml.escape(entryName));
            case CREATIONDATE -> Optional.of(HttpDates.formatIso(status.born()));
            case GETLASTMODIFIED -> Optional.of(HttpDates.format(status.modified()));
            case GETCONTENTLENGTH -> ofFile(status, Long.toString(status.sizeBytes()));
            case GETCONTENTTYPE -> ofFile(status, "application/octet-stream");
            case GETETAG -> ofFile(status, Entities.tag(status));
            case QUOTA_AVAILABLE -> space.map(s -> Long.toString(s.availableBytes()));
            case QUOTA_USED -> space.map(s -> Long.toString(s.usedBytes()));
            case CHECKSUMS -> checksums(status);
            case MODE -> Optional.of(Integer.toOctalString(statMode(status)));
        };
    }

    private static Optional<String> ofFile(FileStatus status, String value) {
        return status.isFile() ? Optional.of(value) : Optional.empty();
    }

    /** As st_mode has it: davix takes an entry without the bits of its kind for no directory. */
    private static int statMode(FileStatus status) {
        int kind =
                switch (status.kind()) {
                    case FILE -> 0100000;
                    case DIRECTORY -> 0040000;
                    case SYMLINK -> 0120000;
                };
        return kind | status.mode();
    }

    private static Optional<String> checksums(FileStatus status) {
        if (status.underUpdate() || status.checksums().isEmpty()) {
            return Optional.empty();
        }
        var all = new StringBuilder();
        for (Checksum sum : status.checksums()) {
            all.append(all.isEmpty() ? "" : " ")
                    .append(sum.type().word().replace("-", "").toUpperCase(Locale.ROOT))
                    .append(':')
                    .append(sum.hex());
        }
        return Optional.of("<oc:checksum>" + all + "</oc:checksum>");
    }
}
