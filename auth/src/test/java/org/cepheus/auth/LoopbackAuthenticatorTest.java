package org.cepheus.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Authenticator.Credential;
import org.junit.jupiter.api.Test;

final class LoopbackAuthenticatorTest {
    private final Identity starter = new Identity("alice", List.of("staff"), true);
    private final LoopbackAuthenticator authenticator = new LoopbackAuthenticator(starter);

    @Test
    void whoBringsNothingActsAsTheUserWhoStartedIt() {
        assertThat(authenticator.authenticate(new Credential.Anonymous(), true)).isEqualTo(starter);
        assertThat(authenticator.offers()).containsExactly("unix");
    }

    @Test
    void believesUnixNamesOfThisHost() {
        Identity bob =
                authenticator.authenticate(new Credential.Unix("bob", List.of("atlas")), true);

        assertThat(bob).isEqualTo(new Identity("bob", List.of("atlas"), false));
        assertThat(authenticator.authenticate(new Credential.Unix("bob", List.of()), true))
                .isEqualTo(new Identity("bob", List.of("nogroup"), false));
    }

    @Test
    void knowsTheUserWhoStartedItByNameToo() {
        assertThat(authenticator.authenticate(new Credential.Unix("alice", List.of("x")), true))
                .isEqualTo(starter);
    }

    @Test
    void rootIsNoSuperuserUnlessItStartedTheProcess() {
        Credential root = new Credential.Unix("root", List.of("root"));
        Identity rootStarted = new Identity("root", List.of("root"), true);

        assertThat(authenticator.authenticate(root, true).superuser()).isFalse();
        assertThat(new LoopbackAuthenticator(rootStarted).authenticate(root, true).superuser())
                .isTrue();
    }

    @Test
    void refusesOtherHostsAndNamelessUsers() {
        assertThatThrownBy(() -> authenticator.authenticate(new Credential.Anonymous(), false))
                .hasMessageContaining("its own host only");
        assertThatThrownBy(
                        () -> authenticator.authenticate(new Credential.Unix(" ", List.of()), true))
                .hasMessageContaining("names no user");
    }
}
