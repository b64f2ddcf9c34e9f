package org.cepheus.protocol.xrootd;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client says of itself by {@code set}: kept as long as its session, told to nobody but
 * itself and the log. Owned by the event loop.
 */
final class ClientNotes {
    private static final Logger LOG = LoggerFactory.getLogger(ClientNotes.class);

    /** As many characters as the C++ server keeps of a name, and of a note for its monitor. */
    private static final int MAX_APPLICATION_CHARS = 80;

    private static final int MAX_NOTE_CHARS = 1_024;

    private String application = "";
    private String note = "";

    /** Takes one text of {@code set}, or says why not. */
    void take(Exchange exchange, String text) {
        Optional<FsError> refusal = take(text);
        if (refusal.isPresent()) {
            exchange.fail(refusal.get());
        } else {
            LOG.debug("client at {} says it is {}", exchange.caller().address(), this);
            exchange.ok();
        }
    }

    private Optional<FsError> take(String text) {
        String[] words = text.strip().split("\\s+", 2);
        String value = words.length < 2 ? "" : printable(words[1]);
        return switch (words[0]) {
            case "appid" -> {
                application = cut(value, MAX_APPLICATION_CHARS);
                yield Optional.empty();
            }
            case "monitor" -> monitor(value);
            default ->
                    Optional.of(
                            new FsError.InvalidArgument(
                                    "set knows appid and monitor, not '%s'"
                                            .formatted(cut(printable(words[0]), 20))));
        };
    }

    private Optional<FsError> monitor(String value) {
        if (value.equals("info") || value.startsWith("info ")) {
            note = cut(value.substring("info".length()).strip(), MAX_NOTE_CHARS);
            return Optional.empty();
        }
        if (value.equals("on") || value.startsWith("on ") || value.equals("off")) {
            return Optional.of(
                    new FsError.Unsupported(
                            "no monitor of single clients is here to be switched on or off"));
        }
        return Optional.of(new FsError.InvalidArgument("set monitor knows info, on and off"));
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", " ").strip();
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }

    /** For {@code query stats}. */
    String toXml() {
        return "<stats id=\"client\"><appid>%s</appid><note>%s</note></stats>"
                .formatted(escaped(application), escaped(note));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return note.isEmpty() ? application : application + " (" + note + ")";
    }
}
