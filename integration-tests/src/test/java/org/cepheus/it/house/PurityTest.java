package org.cepheus.it.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code domain}, {@code quota} and {@code namespace} give the same answer on every replica and in
 * every replay: no clock, randomness, threads, files, sockets or logging.
 */
final class PurityTest {
    private static final Set<String> CLOCKS_RANDOMNESS_THREADS =
            Set.of(
                    "java.time.Clock",
                    "java.time.InstantSource",
                    "java.lang.Thread",
                    "java.lang.ThreadLocal",
                    "java.lang.Process",
                    "java.lang.ProcessBuilder",
                    "java.lang.Runtime",
                    "java.lang.System$Logger",
                    "java.security.SecureRandom",
                    "java.util.Random",
                    "java.util.SplittableRandom",
                    "java.util.Timer");

    /** Promises and maps that are safe to share; everything else there runs or blocks threads. */
    private static final Set<String> HARMLESS_CONCURRENCY =
            Set.of(
                    "java.util.concurrent.CompletableFuture",
                    "java.util.concurrent.CompletionException",
                    "java.util.concurrent.CompletionStage",
                    "java.util.concurrent.ConcurrentHashMap",
                    "java.util.concurrent.ConcurrentMap",
                    "java.util.concurrent.ConcurrentNavigableMap",
                    "java.util.concurrent.ConcurrentSkipListMap",
                    "java.util.concurrent.ConcurrentSkipListSet",
                    "java.util.concurrent.ExecutionException");

    private static final Set<String> HARMLESS_IO =
            Set.of(
                    "java.io.ByteArrayInputStream",
                    "java.io.ByteArrayOutputStream",
                    "java.io.Closeable",
                    "java.io.IOException",
                    "java.io.Serializable",
                    "java.io.UncheckedIOException",
                    "java.net.URI",
                    "java.net.URISyntaxException");

    private static final Set<String> CALLS_THAT_LOOK_AROUND =
            Set.of(
                    "java.lang.Math.random",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.getProperty",
                    "java.lang.System.getenv",
                    "java.lang.System.identityHashCode",
                    "java.lang.System.nanoTime",
                    "java.util.Collection.parallelStream",
                    "java.util.Locale.getDefault",
                    "java.util.UUID.randomUUID");

    private static final DescribedPredicate<JavaClass> WORLD =
            DescribedPredicate.describe(
                    "are clocks, randomness, threads, files, sockets or logging",
                    type ->
                            CLOCKS_RANDOMNESS_THREADS.contains(type.getName())
                                    || isIn(type, "java.util.random..", "java.util.logging..")
                                    || isIn(type, "java.nio.file..", "java.nio.channels..")
                                    || isIn(type, "java.util.concurrent..")
                                            && !HARMLESS_CONCURRENCY.contains(outermost(type))
                                    || isIn(type, "java.io..", "java.net..")
                                            && !HARMLESS_IO.contains(type.getName()));

    private static final DescribedPredicate<JavaAccess<?>> LOOK_AROUND =
            DescribedPredicate.describe(
                    "the answer depends on more than its arguments",
                    access -> {
                        String owner = access.getTargetOwner().getName();
                        String name = access.getName();
                        return CALLS_THAT_LOOK_AROUND.contains(owner + "." + name)
                                || owner.startsWith("java.time.") && name.equals("now")
                                || owner.equals("java.util.concurrent.CompletableFuture")
                                        && name.endsWith("Async");
                    });

    static List<Room> pureRooms() {
        return Room.PURE;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pureRooms")
    void knowsNothingOfTheWorld(Room room) {
        noClasses()
                .that()
                .resideInAPackage(room.packages())
                .should()
                .dependOnClassesThat(WORLD)
                .orShould()
                .accessTargetWhere(LOOK_AROUND)
                .because("time comes with the log entry and ids from the state")
                .check(House.CLASSES);
    }

    private static boolean isIn(JavaClass type, String... packages) {
        for (String each : packages) {
            if (resideInAPackage(each).test(type)) {
                return true;
            }
        }
        return false;
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }
}
