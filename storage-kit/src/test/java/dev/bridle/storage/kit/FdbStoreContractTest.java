package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.fdb.FdbStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class FdbStoreContractTest extends KeyValueStoreContract {
  private static KeyValueStore store;

  @BeforeAll
  static void open() {
    store = FdbStore.open(SuiteStore.needCluster("contract"));
  }

  @AfterAll
  static void close() {
    if (store != null) {
      store.close();
    }
  }

  @Override
  public KeyValueStore store() {
    return store;
  }

  @Override
  public KeyValueStore reopen() {
    close();
    open();
    return store;
  }

  @Override
  public int prefixBytes() {
    return SuiteStore.needCluster("contract").prefix().length;
  }
}
