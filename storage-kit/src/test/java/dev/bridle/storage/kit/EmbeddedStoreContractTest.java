package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreContractTest extends KeyValueStoreContract {
  @TempDir static Path directory;

  private static EmbeddedStore store;

  @BeforeAll
  static void open() {
    store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
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
    close();
    open();
    return store;
  }
}
