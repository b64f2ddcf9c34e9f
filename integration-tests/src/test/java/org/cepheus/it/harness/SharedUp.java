package org.cepheus.it.harness;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * One {@code up} for all tests of a class; what it printed goes with the failure of a test. After
 * each test a recount has to find every quota as it is kept.
 */
public final class SharedUp
        implements BeforeAllCallback,
                AfterAllCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler {

    private final String jvmFlags;
    private final String[] options;
    private @Nullable CepheusUp up;

    public SharedUp(String... options) {
        this(List.of(options), "");
    }

    private SharedUp(List<String> options, String jvmFlags) {
        this.options = options.toArray(String[]::new);
        this.jvmFlags = jvmFlags;
    }

    /** One that watches every buffer of its network: a leak fails the class. */
    public static SharedUp watchingBuffers() {
        return new SharedUp(
                List.of(),
                "-Dio.netty.leakDetection.level=paranoid"
                        + " -Dio.netty.leakDetection.acquireAndReleaseOnly=true");
    }

    /** The running server. */
    public CepheusUp get() {
        return Objects.requireNonNull(up, "only from a test");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        up = CepheusUp.startWith(jvmFlags, options);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (up != null && up.isRunning() && context.getExecutionException().isEmpty()) {
            up.recount();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (up != null) {
            up.close();
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        if (up != null) {
            up.tellWith(failure);
        }
        throw failure;
    }
}
