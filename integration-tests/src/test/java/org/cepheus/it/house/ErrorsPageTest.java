package org.cepheus.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.protocol.http.HttpErrors;
import org.cepheus.protocol.xrootd.XrootdErrors;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.runtime.HealthCode;
import org.junit.jupiter.api.Test;

/** The manual's tables of errors say what the catalogue says, and that says what the code does. */
class ErrorsPageTest {
    private static final Pattern ERROR_CODE = Pattern.compile("\\bErrorCode\\.([A-Z_]+)\\b");
    private static final Pattern STATUS = Pattern.compile("(?m)^ {8}\"([345]\\d\\d)\":");

    private static final List<FsError> ONE_OF_EACH =
            List.of(
                    new FsError.NotFound(""),
                    new FsError.AlreadyExists(""),
                    new FsError.NotDirectory(""),
                    new FsError.IsDirectory(""),
                    new FsError.NotEmpty(""),
                    new FsError.PermissionDenied(""),
                    new FsError.InvalidArgument(""),
                    new FsError.TooLong(""),
                    new FsError.Unsupported(""),
                    new FsError.FileLocked(""),
                    new FsError.LeaseGone(""),
                    new FsError.SizeMismatch(""),
                    new FsError.ChecksumMismatch(""),
                    new FsError.NoSpace(""),
                    new FsError.QuotaExceeded(
                            FsPath.ROOT, QuotaKind.PROJECT, "", QuotaUnit.BYTES, 0, 0, 0, 0),
                    new FsError.IoFailure(""),
                    new FsError.TicketInvalid(""),
                    new FsError.TicketExpired(""),
                    new FsError.Overloaded("", 1),
                    new FsError.Unavailable("", 1),
                    new FsError.NotLeader(Optional.empty()),
                    new FsError.CrossDevice(""),
                    new FsError.Internal(""));

    @Test
    void theManualHasTheRowsOfTheCatalogue() throws IOException {
        List<String> catalogue =
                Arrays.stream(ErrorKind.values())
                        .map(kind ->
                                "| `%s` | %s | %d | %s | %s |"
                                        .formatted(
                                                kind.word(),
                                                kind.xrootd(),
                                                kind.status(),
                                                kind.meaning(),
                                                kind.advice()))
                        .toList();

        assertThat(manual().filter(line -> line.startsWith("| `") && columns(line) == 5))
                .containsExactlyElementsOf(catalogue);
    }

    @Test
    void theManualHasTheNumbersOfXrootdThatTheCatalogueDoesNotHave() throws Exception {
        Set<Integer> said = new TreeSet<>();
        for (Path source : House.sources("main")) {
            if (source.toString().contains("/protocol/xrootd/")
                    && !source.toString().contains("/client/")) {
                for (MatchResult use :
                        ERROR_CODE.matcher(Files.readString(source)).results().toList()) {
                    said.add(ErrorCode.class.getField(use.group(1)).getInt(null));
                }
            }
        }
        Arrays.stream(ErrorKind.values())
                .map(ErrorKind::xrootd)
                .filter(number -> number.matches("\\d+"))
                .forEach(number -> said.remove(Integer.valueOf(number)));

        assertThat(manual().filter(line -> line.matches("\\| 3\\d{3} \\|.*")))
                .extracting(line -> Integer.valueOf(line.substring(2, 6)))
                .containsExactlyElementsOf(said);
    }

    @Test
    void theManualHasEveryStatusOfTheRestApi() throws IOException {
        Path contract = House.ROOT.resolve("admin/src/main/resources/openapi.yaml");
        Set<String> explained =
                manual().filter(line -> line.startsWith("| "))
                        .flatMap(line ->
                                Arrays.stream(line.split(" \\| |\\| ", -1)).skip(1).limit(3))
                        .filter(cell -> cell.matches("[345]\\d\\d"))
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(STATUS.matcher(Files.readString(contract)).results())
                .extracting(each -> each.group(1))
                .isSubsetOf(explained)
                .contains("307", "401", "410", "413");
    }

    @Test
    void theManualHasTheHealthCodes() throws IOException {
        List<String> codes =
                Arrays.stream(HealthCode.values())
                        .map(code ->
                                "| `%s` | %s | %s | %s |"
                                        .formatted(
                                                code.word(),
                                                code.level().word(),
                                                code.meaning(),
                                                code.advice()))
                        .toList();

        assertThat(manual().filter(line -> line.startsWith("| `") && columns(line) == 4))
                .containsExactlyElementsOf(codes);
    }

    @Test
    void theCatalogueNamesEveryErrorWithTheCodesThatTheProtocolsAnswer() {
        assertThat(ONE_OF_EACH).extracting(ErrorKind::of).containsExactly(ErrorKind.values());
        for (FsError error : ONE_OF_EACH) {
            ErrorKind kind = ErrorKind.of(error);
            assertThat(kind.word()).isEqualTo(error.getClass().getSimpleName());
            assertThat(kind.status()).as(kind.word()).isEqualTo(HttpErrors.status(error));
            assertThat(kind.xrootd()).as(kind.word()).isEqualTo(xrootd(error));
        }
    }

    @Test
    void forgetsNoKindOfError() {
        List<String> kinds =
                Arrays.stream(FsError.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList();

        assertThat(ONE_OF_EACH.stream().map(error -> error.getClass().getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(kinds);
    }

    private static String xrootd(FsError error) {
        return switch (error) {
            case FsError.Overloaded _, FsError.Unavailable _ -> "wait";
            case FsError.NotLeader _ -> "redirect";
            case FsError other -> Integer.toString(XrootdErrors.code(other));
        };
    }

    private static Stream<String> manual() throws IOException {
        Path page = Path.of(System.getProperty("cepheus.root", "..")).resolve("docs/errors.md");
        return Files.readAllLines(page).stream();
    }

    private static int columns(String row) {
        return row.split(" \\| ", -1).length;
    }
}
