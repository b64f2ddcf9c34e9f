package org.cepheus.protocol.http;

import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.FuzzRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damaged sessions of real clients do no harm. {@code ./dev fuzz} runs millions of them. */
@Tag("fuzz")
class ServerFuzzTest {
    @Test
    void aManagerSurvivesDamagedSessions() throws InterruptedException {
        var source = new HeadMutator(Corpus.of(ServerFuzzTest.class, "-mgm.client"));
        new FuzzRun("HTTP manager", 10_000).run(source, ServerTarget::manager);
    }

    @Test
    void aDataServerSurvivesDamagedSessions() throws InterruptedException {
        var source = new HeadMutator(Corpus.of(ServerFuzzTest.class, "-fst.client"));
        new FuzzRun("HTTP data server", 10_000).run(source, ServerTarget::dataServer);
    }
}
