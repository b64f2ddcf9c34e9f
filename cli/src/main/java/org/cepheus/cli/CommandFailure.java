package org.cepheus.cli;

/** A command ends here, with one sentence for the person and a code for the script. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Ends a command.
     *
     * @param exitCode one of {@link ExitCode}
     */
    public CommandFailure(int exitCode, String sentence) {
        super(sentence, null, false, false);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
