package org.cepheus.it.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The house as the rules see it: its compiled classes and its source files. */
final class House {
    static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    // What tests of several rooms share is in jars, once all is packaged.
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("org.cepheus");

    static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("cepheus.root")));

    private House() {}

    /** The Java files below {@code src/<tree>/java} of every module. */
    static List<Path> sources(String tree) {
        try (var modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/" + tree + "/java"))
                    .filter(Files::isDirectory)
                    .flatMap(House::javaFiles)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
