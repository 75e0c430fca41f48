package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;

/** What a test asserts about all stored data. */
public final class StoredData {

  private StoredData() {}

  /** Asserts that the checker finds nothing in a core's data. */
  public static void assertSound(KeyValueStore store) {
    assertThat(
            new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                .check(CheckProgress.SILENT)
                .findings())
        .as("what the checker finds")
        .isEmpty();
  }
}
