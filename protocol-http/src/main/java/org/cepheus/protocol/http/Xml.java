package org.cepheus.protocol.http;

/** Text inside XML and HTML. */
final class Xml {
    private Xml() {}

    /** Escapes markup and quotes; what XML 1.0 cannot hold becomes U+FFFD. */
    static String escape(String text) {
        int at = 0;
        while (at < text.length() && isPlain(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';');
                default -> out.append(c < ' ' || c >= '\ufffe' ? '\ufffd' : c);
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char c) {
        return c >= ' '
                && c < '\ufffe'
                && c != '&'
                && c != '<'
                && c != '>'
                && c != '"'
                && c != '\'';
    }
}
