package org.cepheus.cli;

import java.time.Duration;
import java.time.Instant;

/** Time that passes only in pauses, and ends the command after some of them. */
final class FakeTime implements Terminal.Time {
    private static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");

    private final int pauses;
    private int paused;
    private Runnable meanwhile = () -> {};
    private Duration passed = Duration.ZERO;

    FakeTime(int pauses) {
        this.pauses = pauses;
    }

    /** From now on this happens in each pause. */
    void atPause(Runnable what) {
        meanwhile = what;
    }

    void pass(Duration length) {
        passed = passed.plus(length);
    }

    @Override
    public Instant now() {
        return BEGIN.plus(passed);
    }

    @Override
    public long nanos() {
        return passed.toNanos();
    }

    @Override
    public void pause(Duration length) throws InterruptedException {
        pass(length);
        meanwhile.run();
        paused++;
        if (paused >= pauses) {
            throw new InterruptedException("the person presses Ctrl-C");
        }
    }
}
