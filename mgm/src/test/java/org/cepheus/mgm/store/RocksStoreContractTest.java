package org.cepheus.mgm.store;

import java.nio.file.Path;
import org.cepheus.namespace.store.Store;
import org.cepheus.namespace.store.StoreContract;
import org.junit.jupiter.api.io.TempDir;

final class RocksStoreContractTest extends StoreContract {
    @TempDir private Path directory;

    @Override
    protected Store open() {
        return new RocksStore(directory.resolve("db"), 4 << 20);
    }
}
