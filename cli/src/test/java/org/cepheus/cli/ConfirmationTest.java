package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfirmationTest {
    private final Shell shell;

    ConfirmationTest() throws IOException {
        shell = new Shell();
        shell.server.answer("DELETE /api/v1/quotas?path=%2Fdata", 204, "");
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void destroysNothingWhereNobodyCanBeAsked() {
        assertThat(shell.run("quota rm /data")).isEqualTo(ExitCode.DECLINED);
        assertThat(shell.err()).contains("this removes all limits of /data").contains("--yes");
        assertThat(shell.server.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"n\n", "\n", "", "yes please\n"})
    void destroysNothingUnlessThePersonSaysYes(String typed) {
        assertThat(shell.withPerson(typed).run("quota rm /data")).isEqualTo(ExitCode.DECLINED);
        assertThat(shell.err())
                .isEqualTo(
                        "this removes all limits of /data; files stay. Go on? [y/N] cepheus: nothing was done\n");
        assertThat(shell.server.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", "YES\n"})
    void asksAndThenDoesIt(String typed) {
        assertThat(shell.withPerson(typed).run("quota rm /data")).isEqualTo(ExitCode.OK);
        assertThat(shell.server.asked).hasSize(1);
    }

    @Test
    void doesNotAskWhoSaidYesAlready() {
        assertThat(shell.withPerson("").run("quota rm /data -y")).isEqualTo(ExitCode.OK);
        assertThat(shell.err()).isEmpty();
    }
}
