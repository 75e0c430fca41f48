package dev.bridle.storage.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreLimits;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.LoggerFactory;

class FdbStoreContractTest extends KeyValueStoreContract {
  private static final Path NAME = Path.of("contract");

  private static KeyValueStore store;

  @BeforeAll
  static void open() {
    if (SuiteStore.clusterFile().isEmpty()) {
      String reason = "skipped: -D" + SuiteStore.CLUSTER_FILE + "=PATH names no cluster";
      LoggerFactory.getLogger(FdbStoreContractTest.class).warn(reason);
      assumeTrue(false, reason);
    }
    store = SuiteStore.open(NAME);
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
  public int longestKey() {
    return StoreLimits.MAX_KEY_BYTES - SuiteStore.cluster(NAME).prefix().length;
  }
}
