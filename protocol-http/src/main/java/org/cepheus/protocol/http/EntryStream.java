package org.cepheus.protocol.http;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DirectoryPage;

/**
 * Sends the entries of a directory page by page: the next page is read while this one is written
 * and sent, and no more, so that a directory of any size takes the memory of two pages. Confined to
 * the event loop.
 */
final class EntryStream {
    private static final int PAGE_ENTRIES = 500;

    /** Entries whose attributes are asked for, and held, at once: they may have megabytes each. */
    private static final int GROUP_ENTRIES = 32;

    /** Less than this is not worth sending while more is coming. */
    private static final int LEAST_SENT_CHARS = 64 * 1024;

    /** How entries become text. */
    interface Format {
        /** True if {@link #entry} wants extended attributes. */
        default boolean needsAttributes() {
            return false;
        }

        void begin(StringBuilder out);

        void entry(DirectoryPage.Entry entry, Map<String, Bytes> attributes, StringBuilder out);

        void end(StringBuilder out);
    }

    private final Exchange exchange;
    private final Changes changes;
    private final FsPath directory;
    private final DirectoryPage first;
    private Optional<CompletionStage<DirectoryPage>> next = Optional.empty();

    private EntryStream(Exchange exchange, Changes changes, FsPath directory, DirectoryPage first) {
        this.exchange = exchange;
        this.changes = changes;
        this.directory = directory;
        this.first = first;
    }

    /** Reads the first page, so that a refusal is answered before anything is sent. */
    static void open(
            Exchange exchange, Changes changes, FsPath directory, Consumer<EntryStream> opened) {
        exchange.when(
                changes.list(exchange, directory, "", PAGE_ENTRIES),
                page -> opened.accept(new EntryStream(exchange, changes, directory, page)));
    }

    /** Sends all entries as the body of an answer that has begun, and ends it. */
    void send(Format format) {
        StringBuilder text = text();
        format.begin(text);
        begin(first, format, text);
    }

    private void begin(DirectoryPage page, Format format, StringBuilder text) {
        next = page.next().map(after -> changes.list(exchange, directory, after, PAGE_ENTRIES));
        write(page, 0, format, text);
    }

    /** Writes a page from one of its entries on; with attributes a group of entries at a time. */
    private void write(DirectoryPage page, int from, Format format, StringBuilder text) {
        int end = page.entries().size();
        int to = format.needsAttributes() ? Math.min(end, from + GROUP_ENTRIES) : end;
        List<DirectoryPage.Entry> group = page.entries().subList(from, to);
        var asked = new ArrayList<Crowd.Member<String>>();
        for (DirectoryPage.Entry entry : group) {
            if (format.needsAttributes() && entry.status().mayHaveAttributes()) {
                asked.add(new Crowd.Member<>(directory.child(entry.name()), entry.name()));
            }
        }
        var byName = new HashMap<String, Map<String, Bytes>>();
        Crowd.run(
                exchange,
                asked,
                GROUP_ENTRIES,
                each -> changes.attributes(exchange, each.path()),
                (each, attributes) -> byName.put(each.value(), attributes),
                failure -> {
                    if (failure.isPresent()) {
                        exchange.fail(failure.get().error());
                        return;
                    }
                    for (DirectoryPage.Entry entry : group) {
                        format.entry(entry, byName.getOrDefault(entry.name(), Map.of()), text);
                    }
                    goOn(page, to, format, text);
                });
    }

    private void goOn(DirectoryPage page, int written, Format format, StringBuilder text) {
        boolean isWhole = written == page.entries().size();
        if (!isWhole && text.length() < LEAST_SENT_CHARS) {
            write(page, written, format, text);
            return;
        }
        if (isWhole && next.isEmpty()) {
            format.end(text);
        }
        // Not by Netty's encoder, which takes character by character.
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        exchange.send(Unpooled.wrappedBuffer(bytes))
                .addListener(sent -> {
                    if (!sent.isSuccess()) {
                        return;
                    }
                    if (isWhole) {
                        next.ifPresentOrElse(
                                read -> exchange.when(read, each -> begin(each, format, text())),
                                exchange::end);
                    } else {
                        write(page, written, format, text());
                    }
                });
    }

    private static StringBuilder text() {
        return new StringBuilder(2 * LEAST_SENT_CHARS);
    }
}
