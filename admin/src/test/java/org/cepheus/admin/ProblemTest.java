package org.cepheus.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.TraceId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ProblemTest {
    static List<FsError> everyKind() {
        return List.of(
                new FsError.NotFound("m"),
                new FsError.AlreadyExists("m"),
                new FsError.NotDirectory("m"),
                new FsError.IsDirectory("m"),
                new FsError.NotEmpty("m"),
                new FsError.PermissionDenied("m"),
                new FsError.InvalidArgument("m"),
                new FsError.TooLong("m"),
                new FsError.Unsupported("m"),
                new FsError.FileLocked("m"),
                new FsError.LeaseGone("m"),
                new FsError.SizeMismatch("m"),
                new FsError.ChecksumMismatch("m"),
                new FsError.NoSpace("m"),
                new FsError.IoFailure("m"),
                new FsError.TicketInvalid("m"),
                new FsError.TicketExpired("m"),
                new FsError.Overloaded("m", 3),
                new FsError.Unavailable("m", 3),
                new FsError.CrossDevice("m"),
                new FsError.Internal("m"),
                new FsError.NotLeader(Optional.empty()),
                new FsError.QuotaExceeded(
                        FsPath.ROOT, QuotaKind.PROJECT, "", QuotaUnit.BYTES, 1, 1, 0, 1));
    }

    @Test
    void knowsEveryKind() {
        assertThat(everyKind())
                .extracting(ErrorKind::of)
                .containsExactlyInAnyOrder(ErrorKind.values());
    }

    @ParameterizedTest
    @MethodSource("everyKind")
    void hasTheStatusAndTheCodeOfTheCatalogue(FsError error) {
        ErrorKind kind = ErrorKind.of(error);

        Answer answer = Problem.of(error, "/api/v1/quotas").answer(TraceId.NONE);

        assertThat(answer.status()).isEqualTo(kind.status());
        assertThat(answer.body()).contains("\"code\":\"" + kind.word() + "\"");
    }
}
