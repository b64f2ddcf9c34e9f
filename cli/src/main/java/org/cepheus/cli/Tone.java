package org.cepheus.cli;

/** How alarming a value is: a colour where the terminal has some, never the only sign of it. */
enum Tone {
    PLAIN(""),
    HEAD("1"),
    QUIET("2"),
    GOOD("32"),
    WARN("33"),
    BAD("31");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    /** The text in this tone's colour, or as it is. */
    String paint(String text, boolean colours) {
        return colours && !code.isEmpty() && !text.isBlank()
                ? "\u001b[%sm%s\u001b[0m".formatted(code, text)
                : text;
    }
}
