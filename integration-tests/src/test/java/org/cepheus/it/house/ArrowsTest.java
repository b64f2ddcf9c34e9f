package org.cepheus.it.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every arrow between rooms points the way the architecture says. */
final class ArrowsTest {
    static List<Room> rooms() {
        return Room.ALL;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rooms")
    void importsOnlyWhatItsRowAllows(Room room) {
        classes()
                .that()
                .resideInAPackage(room.packages())
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(room.mayImport())
                .because("the row of " + room + " in Room.ALL allows no more")
                .check(House.CLASSES);
    }

    @Test
    void nothingImportsTheMeasuringAndProvingRooms() {
        noClasses()
                .that()
                .resideOutsideOfPackages("org.cepheus.it..", "org.cepheus.jmh..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.cepheus.it..", "org.cepheus.jmh..")
                .check(House.CLASSES);
    }

    @Test
    void everyClassLivesInARoom() {
        classes()
                .should()
                .resideInAnyPackage(Room.ALL.stream().map(Room::packages).toArray(String[]::new))
                .orShould()
                .resideInAnyPackage("org.cepheus.it..", "org.cepheus.jmh..")
                .check(House.CLASSES);
    }
}
