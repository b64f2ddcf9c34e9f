package org.cepheus.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.protocol.http.HttpErrors;
import org.cepheus.protocol.xrootd.XrootdErrors;
import org.junit.jupiter.api.Test;

/** The manual's table of errors says what the code does. */
class ErrorsPageTest {
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
                    new FsError.IoFailure(""),
                    new FsError.TicketInvalid(""),
                    new FsError.TicketExpired(""),
                    new FsError.Overloaded("", 1),
                    new FsError.Unavailable("", 1),
                    new FsError.CrossDevice(""),
                    new FsError.Internal(""),
                    new FsError.NotLeader(Optional.empty()),
                    new FsError.QuotaExceeded(
                            FsPath.ROOT, QuotaKind.PROJECT, "", QuotaUnit.BYTES, 0, 0, 0, 0));

    private record Row(String xrootd, int http) {}

    @Test
    void namesEveryErrorWithTheCodesThatTheProtocolsAnswer() throws IOException {
        Map<String, Row> inCode =
                ONE_OF_EACH.stream()
                        .collect(
                                Collectors.toMap(
                                        error -> error.getClass().getSimpleName(),
                                        error -> new Row(xrootd(error), HttpErrors.status(error)),
                                        (a, _) -> a,
                                        TreeMap::new));

        assertThat(inManual()).isEqualTo(inCode);
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

    private static Map<String, Row> inManual() throws IOException {
        Path page = Path.of(System.getProperty("cepheus.root", "..")).resolve("docs/errors.md");
        Function<String, String[]> cells = line -> line.split(" *\\| *", -1);
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("| `"))
                .map(cells)
                .collect(
                        Collectors.toMap(
                                row -> row[1].replace("`", ""),
                                row -> new Row(row[2], Integer.parseInt(row[3])),
                                (a, _) -> a,
                                TreeMap::new));
    }
}
