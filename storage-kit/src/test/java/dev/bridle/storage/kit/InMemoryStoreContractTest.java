package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.InMemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract over memory, where reopening goes on from the image of the closed store. */
class InMemoryStoreContractTest extends KeyValueStoreContract {
  private static InMemoryStore store;

  @BeforeAll
  static void open() {
    store = InMemoryStore.open();
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Override
  public KeyValueStore store() {
    return store;
  }

  @Override
  public KeyValueStore reopen() {
    store.close();
    store = InMemoryStore.open(store.image());
    return store;
  }
}
