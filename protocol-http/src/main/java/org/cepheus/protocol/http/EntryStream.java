package org.cepheus.protocol.http;

import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DirectoryPage;

/**
 * Sends the entries of a directory page by page: the next page is asked for when the one before is
 * sent, so that a directory of any size takes the memory of one page. Confined to the event loop.
 */
final class EntryStream {
    private static final int PAGE_ENTRIES = 500;

    /** Questions for attributes under way at once. */
    private static final int MAX_RUNNING = 32;

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
        var text = new StringBuilder();
        format.begin(text);
        withAttributes(first, format, text);
    }

    private void withAttributes(DirectoryPage page, Format format, StringBuilder text) {
        if (!format.needsAttributes()) {
            sendPage(page, Map.of(), format, text);
            return;
        }
        List<Crowd.Member<String>> asked = new ArrayList<>();
        for (DirectoryPage.Entry entry : page.entries()) {
            if (entry.status().mayHaveAttributes()) {
                asked.add(new Crowd.Member<>(directory.child(entry.name()), entry.name()));
            }
        }
        Map<String, Map<String, Bytes>> byName = new HashMap<>();
        Crowd.run(
                exchange,
                asked,
                MAX_RUNNING,
                each -> changes.attributes(exchange, each.path()),
                (each, attributes) -> byName.put(each.value(), attributes),
                failure ->
                        failure.ifPresentOrElse(
                                f -> exchange.fail(f.error()),
                                () -> sendPage(page, byName, format, text)));
    }

    private void sendPage(
            DirectoryPage page,
            Map<String, Map<String, Bytes>> attributes,
            Format format,
            StringBuilder text) {
        for (DirectoryPage.Entry entry : page.entries()) {
            format.entry(entry, attributes.getOrDefault(entry.name(), Map.of()), text);
        }
        if (page.next().isEmpty()) {
            format.end(text);
        }
        exchange.send(ByteBufUtil.writeUtf8(exchange.allocator(), text))
                .addListener(sent -> {
                    if (sent.isSuccess()) {
                        page.next().ifPresentOrElse(name -> askOn(name, format), exchange::end);
                    }
                });
    }

    private void askOn(String after, Format format) {
        exchange.when(
                changes.list(exchange, directory, after, PAGE_ENTRIES),
                page -> withAttributes(page, format, new StringBuilder()));
    }
}
