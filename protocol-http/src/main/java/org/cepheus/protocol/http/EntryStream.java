package org.cepheus.protocol.http;

import io.netty.buffer.ByteBufUtil;
import java.util.function.Consumer;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.NamespaceService;

/**
 * Sends the entries of a directory page by page: the next page is asked for when the one before is
 * sent, so that a directory of any size takes the memory of one page. Confined to the event loop.
 */
final class EntryStream {
    private static final int PAGE_ENTRIES = 500;

    /** How entries become text. */
    interface Format {
        void begin(StringBuilder out);

        void entry(DirectoryPage.Entry entry, StringBuilder out);

        void end(StringBuilder out);
    }

    private final Exchange exchange;
    private final NamespaceService namespace;
    private final FsPath directory;
    private final DirectoryPage first;

    private EntryStream(
            Exchange exchange, NamespaceService namespace, FsPath directory, DirectoryPage first) {
        this.exchange = exchange;
        this.namespace = namespace;
        this.directory = directory;
        this.first = first;
    }

    /** Reads the first page, so that a refusal is answered before anything is sent. */
    static void open(
            Exchange exchange,
            NamespaceService namespace,
            FsPath directory,
            Consumer<EntryStream> opened) {
        exchange.when(
                exchange.held(() -> namespace.list(exchange.caller(), directory, "", PAGE_ENTRIES)),
                page -> opened.accept(new EntryStream(exchange, namespace, directory, page)));
    }

    /** Sends all entries as the body of an answer that has begun, and ends it. */
    void send(Format format) {
        var text = new StringBuilder();
        format.begin(text);
        sendPage(first, format, text);
    }

    private void sendPage(DirectoryPage page, Format format, StringBuilder text) {
        for (DirectoryPage.Entry entry : page.entries()) {
            format.entry(entry, text);
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
                exchange.held(
                        () -> namespace.list(exchange.caller(), directory, after, PAGE_ENTRIES)),
                page -> sendPage(page, format, new StringBuilder()));
    }
}
