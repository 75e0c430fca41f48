package dev.bridle.cli.storage;

import dev.bridle.admin.v1.StorageServiceGrpc;
import dev.bridle.admin.v1.StorageServiceGrpc.StorageServiceBlockingStub;
import dev.bridle.cli.admin.ServerOrDirectory;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.operations.check.StorageReports;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.migration.FormatHistory;
import dev.bridle.storage.layer.migration.Migrations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Accesses the storage of a data directory: through the server that runs there, or by opening the
 * store. Starts no core, since a core changes stored data when it starts.
 */
final class StorageAccess {
  private final Path dataDir;

  StorageAccess(Path dataDir) {
    this.dataDir = dataDir;
  }

  <T> T with(Function<StorageServiceBlockingStub, T> running, Function<StorageReports, T> stopped) {
    return ServerOrDirectory.work(
        dataDir,
        channel -> running.apply(StorageServiceGrpc.newBlockingStub(channel)),
        () -> opened(stopped));
  }

  /** Rejects data of another format, since its rules for checks and repairs differ. */
  private <T> T opened(Function<StorageReports, T> stopped) throws IOException {
    KeyLayout layout = KeyLayout.root();
    try (KeyValueStore store = EngineChoice.of(dataDir).open(dataDir)) {
      var unused = new Migrations(new Rows(layout), FormatHistory.OURS).holdsData(store);
      return stopped.apply(new StorageReports(store, layout, CoreRecords.CATALOG));
    }
  }
}
