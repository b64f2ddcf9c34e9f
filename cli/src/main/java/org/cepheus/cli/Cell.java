package org.cepheus.cli;

/** One value of a row: {@code shown} to people, {@code raw} to scripts and for sorting. */
record Cell(String shown, String raw, Tone tone) {
    static final Cell NONE = new Cell("-", "", Tone.PLAIN);

    /** The same for people and scripts. */
    static Cell text(String text) {
        return new Cell(text, text, Tone.PLAIN);
    }

    static Cell number(long number) {
        return text(Long.toString(number));
    }

    /** People read units, scripts the number of bytes. */
    static Cell bytes(long bytes) {
        return new Cell(ByteCount.format(bytes), Long.toString(bytes), Tone.PLAIN);
    }

    Cell in(Tone other) {
        return new Cell(shown, raw, other);
    }
}
