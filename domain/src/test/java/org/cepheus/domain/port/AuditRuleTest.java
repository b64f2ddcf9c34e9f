package org.cepheus.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.junit.jupiter.api.Test;

/** Which refusals have a line. */
final class AuditRuleTest {
    @Test
    void whatARuleForbidsIsToldOfAnyRequest() {
        assertThat(Audit.isToldOf(new FsError.PermissionDenied("x"), false)).isTrue();
        assertThat(Audit.isToldOf(new FsError.FileLocked("x"), false)).isTrue();
        assertThat(Audit.isToldOf(new FsError.NoSpace("x"), false)).isTrue();
        assertThat(Audit.isToldOf(new FsError.TicketExpired("x"), false)).isTrue();
    }

    @Test
    void whatIsNotThereIsToldOnlyIfItWasToBeChangedOrOpened() {
        assertThat(Audit.isToldOf(new FsError.NotFound("x"), true)).isTrue();
        assertThat(Audit.isToldOf(new FsError.NotFound("x"), false)).isFalse();
    }

    @Test
    void whatIsPutOffOrSentElsewhereIsNoRefusal() {
        assertThat(Audit.isToldOf(new FsError.Overloaded("x", 1), true)).isFalse();
        assertThat(Audit.isToldOf(new FsError.Unavailable("x", 1), true)).isFalse();
        assertThat(Audit.isToldOf(new FsError.NotLeader(Optional.empty()), true)).isFalse();
    }
}
