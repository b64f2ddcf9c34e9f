package org.cepheus.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.cepheus.domain.FsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FstKeysTest {
    private final ClusterSecret secret = ClusterSecret.draw(new Random(1));

    @TempDir private Path directory;

    @Test
    void derivesTheSameKeyEachTimeAndAnotherForEachFstAndKeyId() {
        FstKey one = new FstKeys(secret).keyOf(1);

        assertThat(new FstKeys(secret).keyOf(1).toText()).isEqualTo(one.toText());
        assertThat(new FstKeys(secret).keyOf(2).subkey("x")).isNotEqualTo(one.subkey("x"));
        assertThat(new FstKeys(secret).keyOf(1, 2).subkey("x")).isNotEqualTo(one.subkey("x"));
        assertThat(one.subkey("y")).isNotEqualTo(one.subkey("x"));
    }

    @Test
    void readsAKeyBackFromItsText() {
        FstKey key = new FstKeys(secret).keyOf(12);

        assertThat(FstKey.parse(key.toText() + "\n").subkey("x")).isEqualTo(key.subkey("x"));
        assertThatThrownBy(() -> FstKey.parse("12.1.zz")).hasMessageContaining("64 hex digits");
    }

    @Test
    void readsTheSecretItWrote() throws IOException {
        Path file = directory.resolve("secret");

        secret.writeNew(file);

        assertThat(ClusterSecret.read(file)).isEqualTo(secret);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> secret.writeNew(file))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aStartThatWasCutShortLeavesNoHalfASecret() throws IOException {
        Path file = directory.resolve("secret");
        Files.createFile(directory.resolve("secret.new"));

        secret.writeNew(file);

        assertThat(ClusterSecret.read(file)).isEqualTo(secret);
        assertThat(directory.toFile().list()).containsExactly("secret");
    }

    @Test
    void theAdminTokenIsTheSameForAllWhoHaveTheSecret() throws IOException {
        Path file = directory.resolve("secret");
        secret.writeNew(file);

        assertThat(ClusterSecret.read(file).adminToken())
                .isEqualTo(secret.adminToken())
                .hasSize(64)
                .isNotEqualTo(ClusterSecret.draw(new Random(2)).adminToken());
        assertThat(Files.readString(file)).doesNotContain(secret.adminToken());
    }

    @Test
    void refusesASecretThatOthersMayRead() throws IOException {
        Path file = directory.resolve("secret");
        secret.writeNew(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> ClusterSecret.read(file))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void refusesAFileThatHoldsNoSecretWithoutShowingIt() throws IOException {
        Path file = directory.resolve("secret");
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "hunter2");

        assertThatThrownBy(() -> ClusterSecret.read(file))
                .hasMessageContaining("64 hex digits")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void neverPrintsAKey() {
        assertThat(secret.toString() + new FstKeys(secret).keyOf(1))
                .isEqualTo("cluster secretkey 1 of FST 1");
    }
}
