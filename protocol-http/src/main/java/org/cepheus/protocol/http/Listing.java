package org.cepheus.protocol.http;

import java.util.Map;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DirectoryPage;

/** A directory as a small web page. */
record Listing(FsPath directory) implements EntryStream.Format {
    static final String CONTENT_TYPE = "text/html; charset=utf-8";

    @Override
    public void begin(StringBuilder out) {
        String name = Xml.escape(directory.value());
        out.append("<!DOCTYPE html>\n<html><head><title>")
                .append(name)
                .append("</title></head><body>\n<h1>")
                .append(name)
                .append("</h1>\n<pre>\n");
        if (!directory.isRoot()) {
            String parent = directory.parent().isRoot() ? "/" : directory.parent().value() + "/";
            out.append("<a href=\"").append(PercentCoding.encode(parent)).append("\">../</a>\n");
        }
    }

    @Override
    public void entry(DirectoryPage.Entry entry, Map<String, Bytes> attributes, StringBuilder out) {
        FileStatus status = entry.status();
        String slash = status.isDirectory() ? "/" : "";
        String path = directory.child(entry.name()).value();
        out.append(
                        "%04o %-8s %-8s %14d %s "
                                .formatted(
                                        status.mode(),
                                        Xml.escape(status.owner()),
                                        Xml.escape(status.group()),
                                        status.sizeBytes(),
                                        HttpDates.formatIso(status.modified())))
                .append("<a href=\"")
                .append(PercentCoding.encode(path))
                .append(slash)
                .append("\">")
                .append(Xml.escape(entry.name()))
                .append(slash)
                .append("</a>\n");
    }

    @Override
    public void end(StringBuilder out) {
        out.append("</pre></body></html>\n");
    }
}
