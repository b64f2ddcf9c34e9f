package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What all listings share, shown with the list of quotas. */
final class ListingTest {
    private static final String QUOTAS =
            """
            {"quotas":[
             {"path":"/a","kind":"project","principal":"","limitBytes":1099511627776,"limitFiles":100,
              "usedBytes":1044536046387,"usedFiles":100,"reservedBytes":0,"reservedFiles":0,
              "levelBytes":"warning","levelFiles":"exceeded"},
             {"path":"/a","kind":"user","principal":"anna","limitBytes":10240,
              "usedBytes":9000,"usedFiles":4,"reservedBytes":1240,"reservedFiles":1,
              "levelBytes":"exceeded","levelFiles":"ok"},
             {"path":"/a/b c","kind":"group","principal":"atlas","softBytes":500,
              "usedBytes":600,"usedFiles":7,"reservedBytes":0,"reservedFiles":0,
              "levelBytes":"warning","levelFiles":"ok"}]}
            """;

    private final Shell shell;

    ListingTest() throws IOException {
        shell = new Shell();
    }

    @BeforeEach
    void serve() {
        shell.server.answer("GET /api/v1/quotas", 200, QUOTAS);
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void showsPeopleSectionsUnitsAndBars() {
        assertThat(shell.run("quota ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        Quota Node: /a/
                        who          used bytes  reserved  soft bytes  aval bytes  filled[%]             vol-status  used files  aval files  ino-status
                        project       972.8 GiB       0 B           -     1.0 TiB  [#########.]  95.0 %  warning            100         100  exceeded
                        user anna       8.8 KiB   1.2 KiB           -    10.0 KiB  [##########] 100.0 %  exceeded             4           -  -

                        Quota Node: /a/b c/
                        who          used bytes  reserved  soft bytes  aval bytes  filled[%]             vol-status  used files  aval files  ino-status
                        group atlas       600 B       0 B       500 B           -  -                     warning              7           -  -
                        """);
    }

    @Test
    void showsScriptsEosKeys() {
        assertThat(shell.run("quota ls -m")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        quota=node gid=project space=/a/ usedbytes=1044536046387 usedlogicalbytes=1044536046387 reservedbytes=0 softbytes=0 maxbytes=1099511627776 maxlogicalbytes=1099511627776 percentageusedbytes=95.00 statusbytes=warning usedfiles=100 reservedfiles=0 softfiles=0 maxfiles=100 statusfiles=exceeded
                        quota=node uid=anna space=/a/ usedbytes=9000 usedlogicalbytes=9000 reservedbytes=1240 softbytes=0 maxbytes=10240 maxlogicalbytes=10240 percentageusedbytes=100.00 statusbytes=exceeded usedfiles=4 reservedfiles=1 softfiles=0 maxfiles=0 statusfiles=ignored
                        quota=node gid=atlas space=/a/b%20c/ usedbytes=600 usedlogicalbytes=600 reservedbytes=0 softbytes=500 maxbytes=0 maxlogicalbytes=0 percentageusedbytes=0.00 statusbytes=warning usedfiles=7 reservedfiles=0 softfiles=0 maxfiles=0 statusfiles=ignored
                        """);
    }

    @Test
    void showsTheAnswerAsJson() {
        assertThat(shell.run("quota ls --json")).isEqualTo(ExitCode.OK);
        assertThat(json()).isEqualTo(new JsonMapper().readTree(QUOTAS));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "anna; anna",
                "ATLAS,anna; anna atlas",
                "uid=anna; anna",
                "uid!=anna; ' atlas'",
                "usedbytes>1GiB; ''",
                "used bytes<=9000; anna atlas",
                "space~b c; atlas",
                "vol-status=exceeded,ignored; anna",
                "maxfiles>=100; ''"
            })
    void filtersRowsOfEveryForm(String filter, String principals) {
        assertThat(shell.run("quota", "ls", "--json", "--filter", filter)).isEqualTo(ExitCode.OK);
        assertThat(principals()).isEqualTo(principals);
    }

    @Test
    void allFiltersMustHold() {
        shell.run("quota", "ls", "--json", "--filter", "space=/a/", "--filter", "usedfiles<10");

        assertThat(principals()).isEqualTo("anna");
    }

    @Test
    void sortsByNumbersAndNotByDigits() {
        shell.run("quota", "ls", "--json", "--sort", "used bytes");

        assertThat(principals()).isEqualTo("atlas anna ");
    }

    @Test
    void sortedRowsStandInOneTable() {
        shell.run("quota", "ls", "--sort", "usedfiles", "--reverse");

        assertThat(shell.out().lines().map(line -> line.split("  ")[0]))
                .containsExactly("who", "project", "group atlas", "user anna");
    }

    @Test
    void showsOneNodeAndThoseBelowIt() {
        shell.run("quota", "ls", "/a/b c", "--json");

        assertThat(principals()).isEqualTo("atlas");
    }

    @Test
    void namesTheColumnsWhenOneIsUnknown() {
        assertThat(shell.run("quota ls --sort colour")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err())
                .startsWith(
                        "cepheus: there is no column 'colour'; there are quota, who, uid, gid,");
    }

    @Test
    void refusesTwoFormsAtOnce() {
        assertThat(shell.run("quota ls -m --json")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void coloursOnlyWhatIsShownOnATerminal() {
        shell.run("quota ls --filter anna");
        assertThat(shell.out()).doesNotContain("\u001b");

        shell.withColours().run("quota ls --filter anna");
        assertThat(shell.out()).contains("\u001b[31mexceeded\u001b[0m  ");
    }

    @Test
    void repeatsItselfUntilCtrlC() {
        assertThat(shell.run("quota ls -m --filter anna --watch")).isEqualTo(ExitCode.OK);
        assertThat(shell.out().lines().filter(line -> line.contains("uid=anna"))).hasSize(3);
        assertThat(shell.time.nanos()).isEqualTo(6_000_000_000L);
    }

    @Test
    void drawsOverThePictureBeforeOnATerminal() {
        shell.withPerson("").run("quota", "ls", "--watch=0.5");

        assertThat(shell.out())
                .startsWith(
                        "\u001b[2J\u001b[Hevery 0.5 s: cepheus quota ls  2026-11-21T12:00:00Z\u001b[K\n")
                .contains("Quota Node: /a/\u001b[K\n");
    }

    @Test
    void goesOnWatchingWhileTheServerIsAway() {
        shell.server.answer("GET /api/v1/quotas", 503, "{\"detail\":\"no leader\"}");

        assertThat(shell.run("quota ls --watch=1")).isEqualTo(ExitCode.OK);
        assertThat(shell.out().lines().filter(line -> line.contains("no leader"))).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"0", "99999", "NaN"})
    void refusesAPauseThatIsNone(String seconds) {
        assertThat(shell.run("quota", "ls", "--watch=" + seconds)).isEqualTo(ExitCode.USAGE);
    }

    private JsonNode json() {
        return new JsonMapper().readTree(shell.out());
    }

    private String principals() {
        return String.join(
                " ",
                json().path("quotas").values().stream()
                        .map(row -> row.path("principal").asString())
                        .toList());
    }
}
