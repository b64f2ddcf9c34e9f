package org.cepheus.protocol.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class of tests that let buffers become garbage without giving them back. Registered for
 * every class of the rooms that have it on their class path; the detector is paranoid by a system
 * property of the build.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
    private static final int ROUNDS = 3;

    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            // Leaks are noticed when the next buffer is handed out.
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        assertThat(leaks).as("buffers that were not given back").isEmpty();
    }
}
