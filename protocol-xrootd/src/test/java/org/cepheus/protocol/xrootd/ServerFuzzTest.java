package org.cepheus.protocol.xrootd;

import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.FuzzRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damaged sessions of real clients do no harm. {@code ./dev fuzz} runs millions of them. */
@Tag("fuzz")
class ServerFuzzTest {
    @Test
    void aManagerSurvivesDamagedSessions() throws InterruptedException {
        var source = new FrameMutator(Corpus.of(ServerFuzzTest.class, "-mgm.client"));
        new FuzzRun("XRootD manager", 20_000).run(source, ServerTarget::manager);
    }

    @Test
    void aDataServerSurvivesDamagedSessions() throws InterruptedException {
        var source = new FrameMutator(Corpus.of(ServerFuzzTest.class, "-fst.client"));
        new FuzzRun("XRootD data server", 20_000).run(source, ServerTarget::dataServer);
    }
}
