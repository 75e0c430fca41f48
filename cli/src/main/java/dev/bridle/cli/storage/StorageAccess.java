package dev.bridle.cli.storage;

import dev.bridle.admin.v1.StorageServiceGrpc;
import dev.bridle.admin.v1.StorageServiceGrpc.StorageServiceBlockingStub;
import dev.bridle.cli.admin.RunningCore;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.StoreTrouble;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.core.check.StorageReports;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.OpenRefusedException;
import dev.bridle.storage.fdb.FdbUnavailableException;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reaches the storage of a data directory: through the server that runs there, or by opening the
 * store itself. No core is started on it, since that alone changes what is stored.
 */
final class StorageAccess {
  private final Path dataDir;

  StorageAccess(Path dataDir) {
    this.dataDir = dataDir;
  }

  <T> T with(Function<StorageServiceBlockingStub, T> running, Function<StorageReports, T> stopped) {
    if (!Files.isDirectory(dataDir)) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "There is no data directory "
              + dataDir
              + "; 'bridle up' makes one, --data-dir names another.");
    }
    try {
      Optional<T> result =
          new RunningCore(dataDir)
              .with(channel -> running.apply(StorageServiceGrpc.newBlockingStub(channel)));
      return result.isPresent() ? result.get() : opened(stopped);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The data directory " + dataDir + " can't be read: " + e, e);
    } catch (OpenRefusedException | FdbUnavailableException e) {
      throw new CommandFailed(ExitCodes.FAILED, e.getMessage(), e);
    } catch (StoreException e) {
      throw StoreTrouble.atStart(dataDir, e);
    } catch (StatusRuntimeException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          Optional.ofNullable(e.getStatus().getDescription()).orElse(e.getMessage()),
          e);
    }
  }

  private <T> T opened(Function<StorageReports, T> stopped) throws IOException {
    try (KeyValueStore store = EngineChoice.of(dataDir).open(dataDir)) {
      return stopped.apply(new StorageReports(store, KeyLayout.root()));
    }
  }
}
