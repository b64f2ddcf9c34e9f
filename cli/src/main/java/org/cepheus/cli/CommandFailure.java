package org.cepheus.cli;

/** A command ends here, with one sentence for the person and a code for the script. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String code;

    /**
     * Ends a command.
     *
     * @param exitCode one of {@link ExitCode}
     */
    public CommandFailure(int exitCode, String sentence) {
        this(exitCode, sentence, "");
    }

    /** A refusal of the server, with the code of docs/errors.md that it named. */
    CommandFailure(int exitCode, String sentence, String code) {
        super(sentence, null, false, false);
        this.exitCode = exitCode;
        this.code = code;
    }

    public int exitCode() {
        return exitCode;
    }

    /** Empty unless a server refused and said why. */
    String code() {
        return code;
    }
}
