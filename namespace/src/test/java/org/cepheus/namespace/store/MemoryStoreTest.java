package org.cepheus.namespace.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Test
    void fallsBackToTheLastFlushAfterACrash() {
        byte[] key = "a".getBytes(UTF_8);
        var store = new MemoryStore();
        store.write(List.of(Change.put(Family.META, key, new byte[] {1})));
        store.flush();
        store.write(List.of(Change.put(Family.META, key, new byte[] {2})));

        var after = store.afterCrash();

        assertThat(after.get(Family.META, key)).containsExactly(1);
    }
}
