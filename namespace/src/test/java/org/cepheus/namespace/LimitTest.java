package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.open;
import static org.cepheus.namespace.Trial.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.junit.jupiter.api.Test;

/** Quotas, names, attributes and pages at their limits. */
class LimitTest {
    private final Trial trial = new Trial();

    @Test
    void aFullQuotaNamesNodeLimitUsedReservedAndWanted() {
        trial.makeDirectory(ALICE, "/d", 0755);
        trial.quota("/d", 100, -1);
        trial.file(ALICE, "/d/f", 60);
        trial.upload(ALICE, "/d/g", Intent.NEW, 30);

        assertThat(trial.refused(ALICE, open("/d/h", Intent.NEW, 11)).message())
                .contains(
                        "quota exceeded at /d: limit 100 bytes, used 60,"
                                + " reserved by running uploads 30, wanted 11 more");
    }

    @Test
    void aUsersLimitNamesTheUserAndBindsNobodyElse() {
        trial.makeDirectory(ALICE, "/d", 0777);
        trial.done(
                ROOT,
                new Mutation.SetQuota(
                        path("/d"),
                        QuotaKind.USER,
                        "alice",
                        OptionalLong.empty(),
                        OptionalLong.of(1)));
        trial.file(ALICE, "/d/f", 1);

        assertThat(trial.refused(ALICE, open("/d/g", Intent.NEW, 1)).message())
                .contains("at /d of user alice: limit 1 files, used 1");
        trial.file(Trial.BOB, "/d/g", 1);
    }

    @Test
    void aNodeSetOverContentCountsItAndSubtractsWhatGoes() {
        trial.makeDirectory(ALICE, "/d", 0755);
        trial.makeDirectory(ALICE, "/d/e", 0755);
        trial.file(ALICE, "/d/e/f", 60);
        trial.upload(ALICE, "/d/g", Intent.NEW, 30);

        trial.quota("/d", 10, -1);

        var project = trial.queries().quotasAt(ALICE, path("/d"));
        assertThat(project)
                .anySatisfy(row -> {
                    assertThat(row.node()).isEqualTo(path("/d"));
                    assertThat(row.usedBytes()).isEqualTo(60);
                    assertThat(row.reservedBytes()).isEqualTo(30);
                });
        trial.done(ALICE, new Mutation.RemoveFile(path("/d/e/f")));
        trial.done(ALICE, new Mutation.RemoveFile(path("/d/g")));
        trial.done(ALICE, new Mutation.RemoveDirectory(path("/d/e")));
        trial.done(ALICE, new Mutation.RemoveDirectory(path("/d")));
        assertThat(trial.queries().quotas()).noneMatch(row -> row.node().equals(path("/d")));
    }

    @Test
    void namesHave255BytesOfUtf8AndNoControlBytes() {
        new FsPath("/" + "ü".repeat(127) + "x");

        assertThatThrownBy(() -> new FsPath("/" + "ü".repeat(128)))
                .hasMessageContaining("256 bytes, the limit is 255");
        for (String bad : new String[] {"a\nb", "a\u0000", "\u007f", "..", "a\ud800"}) {
            assertThatThrownBy(() -> new FsPath("/" + bad)).isInstanceOf(FsException.class);
        }
    }

    @Test
    void pathsAre255NamesDeep() {
        FsPath deepest = new FsPath("/a".repeat(FsPath.MAX_DEPTH));
        trial.done(ALICE, new Mutation.MakeDirectory(deepest, 0755, true));

        assertThat(trial.queries().stat(ALICE, deepest).isDirectory()).isTrue();
        assertThatThrownBy(() -> deepest.child("a")).hasMessageContaining("limit is 255");
    }

    @Test
    void pagesShowEachNameOnceInByteOrder() {
        for (String name : new String[] {"b", "ü", "a", "a.b", "aa", "Z"}) {
            trial.makeDirectory(ALICE, "/" + name, 0755);
        }
        var seen = new ArrayList<String>();
        String after = "";
        for (int page = 0; page < 10; page++) {
            DirectoryPage got = trial.queries().list(ALICE, FsPath.ROOT, after, 2);
            got.entries().forEach(entry -> seen.add(entry.name()));
            if (got.next().isEmpty()) {
                break;
            }
            after = got.next().get();
            trial.run(ALICE, new Mutation.RemoveDirectory(path("/" + after)));
        }

        assertThat(seen).containsExactly("Z", "a", "a.b", "aa", "b", "ü");
    }

    @Test
    void attributesHave64KibAndAre128AtMost() {
        trial.file(ALICE, "/f", 1);
        for (int i = 0; i < 128; i++) {
            trial.done(ALICE, attribute("user.a" + i, i == 0 ? 64 << 10 : 1));
        }

        assertThat(trial.refused(ALICE, attribute("user.more", 1)))
                .isInstanceOf(FsError.TooLong.class);
        assertThat(trial.refused(ALICE, attribute("user.a1", (64 << 10) + 1)))
                .isInstanceOf(FsError.TooLong.class);
        assertThat(trial.refused(ALICE, attribute("user." + "n".repeat(251), 1)))
                .isInstanceOf(FsError.TooLong.class);
        assertThat(trial.refused(ALICE, attribute("security.x", 1)))
                .isInstanceOf(FsError.InvalidArgument.class);
        assertThat(trial.refused(ALICE, attribute("sys.x", 1)))
                .isInstanceOf(FsError.PermissionDenied.class);
        trial.done(ALICE, attribute("user.a1", 2));
    }

    @Test
    void changesAttributesAllOrNone() {
        trial.file(ALICE, "/f", 1);
        trial.done(ALICE, changes(set("user.a", 1), set("user.b", 2)));

        trial.done(ALICE, changes(set("user.a", 3), removed("user.b"), removed("user.none")));
        assertThat(trial.queries().attributes(ALICE, path("/f")))
                .containsOnlyKeys("user.a")
                .containsEntry("user.a", Bytes.copyOf(new byte[3]));
        assertThat(trial.refused(ALICE, changes(removed("user.a"), set("user.b", (64 << 10) + 1))))
                .isInstanceOf(FsError.TooLong.class);
        assertThat(trial.refused(ALICE, changes(removed("user.a"), set("sys.b", 1))))
                .isInstanceOf(FsError.PermissionDenied.class);
        for (int i = 1; i < 128; i++) {
            trial.done(ALICE, attribute("user.a" + i, 1));
        }
        assertThat(trial.refused(ALICE, changes(removed("user.none"), set("user.more", 1))))
                .isInstanceOf(FsError.TooLong.class);
        trial.done(ALICE, changes(removed("user.a1"), set("user.more", 1)));

        assertThat(trial.queries().attributes(ALICE, path("/f")))
                .hasSize(128)
                .containsKeys("user.a", "user.more");
    }

    @Test
    void changesOnlyTheContentThatItsClientKnew() {
        trial.file(ALICE, "/f", 1);
        long known = trial.stat("/f").contentVersion();
        trial.done(ALICE, new Mutation.RemoveFile(path("/f")));
        trial.file(ALICE, "/f", 2);
        long now = trial.stat("/f").contentVersion();

        for (Mutation change :
                List.of(
                        new Mutation.Rename(path("/f"), path("/g"), false),
                        new Mutation.SetMode(path("/f"), 0600),
                        new Mutation.RemoveFile(path("/f")))) {
            assertThat(trial.refused(ALICE, new Mutation.IfVersion(known, change)))
                    .isInstanceOf(FsError.AlreadyExists.class);
        }
        assertThat(trial.refused(ALICE, new Mutation.IfVersion(1, remove("/none"))))
                .isInstanceOf(FsError.NotFound.class);
        assertThat(trial.refused(ALICE, new Mutation.IfVersion(1, remove("/"))))
                .isInstanceOf(FsError.IsDirectory.class);
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(2);
        trial.done(ALICE, new Mutation.IfVersion(now, remove("/f")));
        assertThat(trial.refused(ALICE, remove("/f"))).isInstanceOf(FsError.NotFound.class);
    }

    private static Mutation remove(String path) {
        return new Mutation.RemoveFile(path(path));
    }

    @Test
    void tellsWhichFilesMayHaveAttributes() {
        trial.file(ALICE, "/f", 1);
        assertThat(trial.stat("/f").mayHaveAttributes()).isFalse();

        trial.done(ALICE, changes(set("user.a", 1)));

        assertThat(trial.stat("/f").mayHaveAttributes()).isTrue();
    }

    private static Mutation changes(Mutation.AttributeChange... changes) {
        return new Mutation.ChangeAttributes(path("/f"), List.of(changes));
    }

    private static Mutation.AttributeChange set(String name, int bytes) {
        return new Mutation.AttributeChange(name, Optional.of(Bytes.copyOf(new byte[bytes])));
    }

    private static Mutation.AttributeChange removed(String name) {
        return new Mutation.AttributeChange(name, Optional.empty());
    }

    private static Mutation attribute(String name, int bytes) {
        return new Mutation.SetAttribute(path("/f"), name, Bytes.copyOf(new byte[bytes]), false);
    }
}
