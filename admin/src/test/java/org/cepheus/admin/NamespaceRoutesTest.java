package org.cepheus.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class NamespaceRoutesTest {
    private static final FsPath DATA = FsPath.parse("/data");
    private static final FsPath FILE = FsPath.parse("/data/run 1.root");

    private final FakeCluster cluster = new FakeCluster();
    private final RestApi api =
            cluster.api(new Identity("root", List.of("root"), true), new FakeFeed());

    @Test
    void makesADirectoryWithTheUsualModeUnlessToldOtherwise() {
        ask("POST", "/directories", Map.of(), "{'path':'/data/a'}");
        ask("POST", "/directories", Map.of(), "{'path':'/data/b/c','mode':'1777','parents':true}");

        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.MakeDirectory(FsPath.parse("/data/a"), 0755, false),
                        new Mutation.MakeDirectory(FsPath.parse("/data/b/c"), 01777, true));
        assertThat(cluster.audited)
                .containsExactly(
                        "allowed make directory /data/a", "allowed make directory /data/b/c");
    }

    @Test
    void removesWhatIsThereByItsKind() {
        ask("DELETE", "", Map.of("path", List.of(DATA.value())), "");
        ask("DELETE", "", Map.of("path", List.of(FILE.value())), "");

        assertThat(cluster.changes)
                .containsExactly(new Mutation.RemoveDirectory(DATA), new Mutation.RemoveFile(FILE));
    }

    @Test
    void renamesAndReplacesOnlyWhenTold() {
        ask("POST", "/rename", Map.of(), "{'path':'/data','target':'/old'}");
        ask("POST", "/rename", Map.of(), "{'path':'/data','target':'/old','replace':true}");

        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.Rename(DATA, FsPath.parse("/old"), false),
                        new Mutation.Rename(DATA, FsPath.parse("/old"), true));
    }

    @Test
    void changesModeOwnerOrTime() {
        ask("PATCH", "", Map.of(), "{'path':'/data','mode':'0750'}");
        ask("PATCH", "", Map.of(), "{'path':'/data','owner':'anna'}");
        ask("PATCH", "", Map.of(), "{'path':'/data','modified':'2026-11-21T20:00:00Z'}");

        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.SetMode(DATA, 0750),
                        new Mutation.SetOwner(DATA, Optional.of("anna"), Optional.empty()),
                        new Mutation.SetModified(DATA, Instant.parse("2026-11-21T20:00:00Z")));
    }

    @Test
    void setsAndRemovesAnAttributeOfAnyBytes() {
        ask("PUT", "/attributes", Map.of(), "{'path':'/data','name':'user.a','value':'ü'}");
        ask("PUT", "/attributes", Map.of(), "{'path':'/data','name':'user.a','base64':'/wA='}");
        ask(
                "DELETE",
                "/attributes",
                Map.of("path", List.of("/data"), "name", List.of("user.a")),
                "");

        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.SetAttribute(
                                DATA,
                                "user.a",
                                Bytes.copyOf(new byte[] {(byte) 0xc3, (byte) 0xbc}),
                                false),
                        new Mutation.SetAttribute(
                                DATA, "user.a", Bytes.copyOf(new byte[] {(byte) 0xff, 0}), false),
                        new Mutation.RemoveAttribute(DATA, "user.a"));
    }

    @Test
    void showsAttributesAsTextOrBase64() {
        JsonNode rows =
                json(ask("GET", "/attributes", Map.of("path", List.of("/data")), ""))
                        .path("attributes");

        assertThat(rows.findValuesAsString("value")).containsExactly("grün");
        assertThat(rows.findValuesAsString("base64")).containsExactly("/wA=");
    }

    @Test
    void showsTheStoredChecksumsAndNamesOneThatIsNot() {
        JsonNode all = json(ask("GET", "/checksum", Map.of("path", List.of(FILE.value())), ""));

        assertThat(all.path("checksums").path("adler32").asString()).isEqualTo("00000abc");
        assertThatThrownBy(() ->
                        ask(
                                "GET",
                                "/checksum",
                                Map.of("path", List.of(FILE.value()), "type", List.of("md5")),
                                ""))
                .hasMessageContaining("no md5 of /data/run 1.root is stored");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "POST|/directories|{}",
                "POST|/directories|{'path':'/a','mode':'888'}",
                "POST|/directories|{'path':'/a','parents':'yes'}",
                "POST|/directories|{'path':'/a','colour':'blue'}",
                "POST|/rename|{'path':'/a'}",
                "PATCH||{'path':'/a'}",
                "PATCH||{'path':'/a','mode':'0644','owner':'anna'}",
                "PATCH||{'path':'/a','owner':''}",
                "PATCH||{'path':'/a','modified':'yesterday'}",
                "PATCH||{'path':'/a','modified':'+1000000-01-01T00:00:00Z'}",
                "PUT|/attributes|{'path':'/a','name':'user.a'}",
                "PUT|/attributes|{'path':'/a','name':'user.a','value':'x','base64':'eA=='}",
                "PUT|/attributes|{'path':'/a','name':'user.a','base64':'?'}"
            })
    void refusesAnOrderThatCannotBeMeant(String method, String path, String body) {
        assertThatThrownBy(() -> ask(method, path == null ? "" : path, Map.of(), body))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.InvalidArgument.class));
        assertThat(cluster.changes).isEmpty();
    }

    private Answer ask(String method, String path, Map<String, List<String>> query, String body) {
        var caller = new Caller(api.operator(), "127.0.0.1", TraceId.NONE);
        var request =
                new Route.Request(
                        new Query(query), body.replace('\'', '"'), caller, _ -> Optional.empty());
        return api.answer(method, "/api/v1/namespace" + path, request).orElseThrow();
    }

    private static JsonNode json(Answer answer) {
        return new JsonMapper().readTree(answer.body());
    }
}
