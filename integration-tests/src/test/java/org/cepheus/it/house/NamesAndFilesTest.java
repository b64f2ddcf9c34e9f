package org.cepheus.it.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What things are called, and what every package and file must have. */
final class NamesAndFilesTest {
    private static final int MAX_LINES = 600;

    /** The role of an MGM is called manager on the wire: {@code XrootdRole.Manager} may be. */
    private static final Pattern NOUN_NOT_FOUND =
            Pattern.compile(".*(Util|Utils|Helper|Helpers|(?<!Role\\$)Manager|Base|Impl|Common)");

    @Test
    void everyClassHasANounOfItsOwn() {
        List<Path> nameless =
                Stream.of("main", "test")
                        .flatMap(tree -> House.sources(tree).stream())
                        .filter(file -> NOUN_NOT_FOUND.matcher(className(file)).matches())
                        .toList();

        assertThat(nameless).as("the right room or noun has not been found yet").isEmpty();
        noClasses().should().haveNameMatching(NOUN_NOT_FOUND.pattern()).check(House.CLASSES);
    }

    @Test
    void everyPackageSaysWhatItIsForAndKnowsNoNull() throws IOException {
        List<Path> packages =
                House.sources("main").stream().map(Path::getParent).distinct().toList();

        for (Path each : packages) {
            Path info = each.resolve("package-info.java");

            assertThat(info).exists();
            assertThat(Files.readString(info)).contains("@NullMarked").contains("/**");
        }
    }

    @Test
    void noFileIsLongerThanAReaderRemembers() throws IOException {
        for (Path file : House.sources("main")) {
            try (var lines = Files.lines(file)) {
                assertThat(lines.count())
                        .as("lines of " + House.ROOT.relativize(file))
                        .isLessThanOrEqualTo(MAX_LINES);
            }
        }
    }

    @Test
    void onlyTheCommandLineWritesToTheTerminal() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.cepheus.cli..",
                        "org.cepheus.app..",
                        "org.cepheus.it..",
                        "org.cepheus.jmh..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("everyone else logs")
                .check(House.CLASSES);
    }

    private static String className(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }
}
