package org.cepheus.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.OperatorOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent again, and orders that have no path. */
final class OnceTest {
    private final FakeCluster cluster = new FakeCluster();
    private final RestApi api =
            cluster.api(new Identity("root", List.of("root"), true), new FakeFeed());

    @Test
    void aRequestThatIsSentAgainIsNotDoneAgain() {
        Answer first = ask("PATCH", "/fs/1", "{\"state\":\"ro\"}", "k1");
        Answer again = ask("PATCH", "/fs/1", "{\"state\":\"ro\"}", "k1");

        assertThat(cluster.orders)
                .containsExactly(
                        new OperatorOrder.SetState(ServiceTarget.volume(1), ServiceState.RO));
        assertThat(again.status()).isEqualTo(first.status());
        assertThat(first.headers()).isEmpty();
        assertThat(again.headers()).containsEntry("Idempotency-Replayed", "true");
    }

    @Test
    void aRefusalIsTheSameTheSecondTime() {
        cluster.refusal = Optional.of(new FsError.NotEmpty("/data has entries"));
        assertThatThrownBy(() -> ask("PATCH", "/nodes/fst1", "{\"state\":\"off\"}", "k1"))
                .hasMessage("/data has entries");
        cluster.refusal = Optional.empty();

        assertThatThrownBy(() -> ask("PATCH", "/nodes/fst1", "{\"state\":\"off\"}", "k1"))
                .hasMessage("/data has entries");
        assertThat(cluster.orders).isEmpty();
    }

    @Test
    void theSameKeyWithAnotherRequestIsRefused() {
        ask("PATCH", "/fs/1", "{\"state\":\"ro\"}", "k1");

        assertThatThrownBy(() -> ask("PATCH", "/fs/1", "{\"state\":\"rw\"}", "k1"))
                .hasMessageContaining("another request");
        assertThatThrownBy(() -> ask("PATCH", "/fs/2", "{\"state\":\"ro\"}", "k1"))
                .hasMessageContaining("another request");
    }

    @Test
    void withoutAKeyEveryRequestCounts() {
        ask("DELETE", "/transfers/42", "", "");
        ask("DELETE", "/transfers/42", "", "");

        assertThat(cluster.orders)
                .containsExactly(
                        new OperatorOrder.EndTransfer(42), new OperatorOrder.EndTransfer(42));
        assertThat(cluster.audited)
                .containsExactly("allowed end transfer 42", "allowed end transfer 42");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "two words", "grün"})
    void refusesAKeyThatIsNone(String key) {
        assertThatThrownBy(() -> ask("DELETE", "/transfers/42", "", key))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.InvalidArgument.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/transfers/all", "/fs/one", "/fs/-1", "/fs/99999999999", "/nodes/mgm1"})
    void knowsNothingByAnotherName(String path) {
        String method = path.startsWith("/transfers") ? "DELETE" : "PATCH";

        assertThatThrownBy(() -> ask(method, path, "{\"state\":\"ro\"}", ""))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.NotFound.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"state\":\"asleep\"}", "{\"state\":1}", "{\"colour\":\"ro\"}"})
    void refusesAStateThatIsNone(String body) {
        assertThatThrownBy(() -> ask("PATCH", "/fs/1", body, ""))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.InvalidArgument.class));
    }

    private Answer ask(String method, String path, String body, String key) {
        var caller = new Caller(api.operator(), "127.0.0.1", TraceId.NONE);
        var request =
                new Route.Request(
                        new Query(Map.of()),
                        body,
                        caller,
                        name ->
                                name.equals("Idempotency-Key") && !key.isEmpty()
                                        ? Optional.of(key)
                                        : Optional.empty());
        return api.answer(method, "/api/v1" + path, request).orElseThrow();
    }
}
