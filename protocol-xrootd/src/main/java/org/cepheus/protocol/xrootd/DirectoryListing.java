package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.protocol.xrootd.wire.StatText;

/**
 * Answers one dirlist page by page: the next page is asked for when the one before has gone into
 * the connection, so that a directory of any size costs the memory of one page.
 */
final class DirectoryListing {
    static final int PAGE_ENTRIES = 1000;

    /** Tells clients that stat lines follow the names. */
    private static final String STAT_MARKER = ".\n0 0 0 0";

    private static final int BYTES_PER_ENTRY = 96;

    /** What comes with each name; a checksum only beside the stat. */
    record Shown(boolean stat, Optional<ChecksumType> checksum) {}

    private final NamespaceService namespace;
    private final Exchange exchange;
    private final FsPath directory;
    private final Shown shown;
    private boolean started;

    DirectoryListing(NamespaceService namespace, Exchange exchange, FsPath directory, Shown shown) {
        this.namespace = namespace;
        this.exchange = exchange;
        this.directory = directory;
        this.shown = shown;
    }

    void start() {
        next("");
    }

    private void next(String after) {
        exchange.whenDone(
                () -> namespace.list(exchange.caller(), directory, after, PAGE_ENTRIES),
                this::page);
    }

    private void page(DirectoryPage page) {
        ByteBuf out = exchange.begin(64 + page.entries().size() * BYTES_PER_ENTRY);
        if (shown.stat() && !started) {
            out.writeCharSequence(STAT_MARKER, StandardCharsets.US_ASCII);
            out.writeByte('\n');
        }
        started = true;
        for (DirectoryPage.Entry entry : page.entries()) {
            out.writeCharSequence(entry.name(), StandardCharsets.UTF_8);
            out.writeByte('\n');
            if (shown.stat()) {
                StatText.of(entry.status()).write(out);
                shown.checksum().ifPresent(type -> checksum(entry.status(), type, out));
                out.writeByte('\n');
            }
        }
        page.next().ifPresentOrElse(after -> part(out, after), () -> last(out));
    }

    private static void checksum(FileStatus status, ChecksumType type, ByteBuf out) {
        String hex = status.checksum(type).map(Checksum::hex).orElse("none");
        out.writeCharSequence(" [ %s:%s ]".formatted(type.word(), hex), StandardCharsets.US_ASCII);
    }

    /** Each part ends on the newline of an entry. */
    private void part(ByteBuf out, String after) {
        exchange.okSoFar(out)
                .addListener(written -> {
                    if (written.isSuccess()) {
                        next(after);
                    }
                });
    }

    /** The last byte is NUL instead of a newline. */
    private void last(ByteBuf out) {
        int end = out.writerIndex() - 1;
        if (out.getByte(end) == '\n') {
            out.setByte(end, 0);
        }
        exchange.ok(out);
    }
}
