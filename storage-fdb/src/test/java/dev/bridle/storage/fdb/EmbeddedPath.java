package dev.bridle.storage.fdb;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import java.nio.file.Path;

/** A process that stores in a directory, through the layers that stamp their keys. */
final class EmbeddedPath {
  private EmbeddedPath() {}

  public static void main(String[] arguments) {
    try (KeyValueStore store = EmbeddedStore.open(Path.of(arguments[0]), EmbeddedOptions.DEFAULT)) {
      KeyLayout layout = KeyLayout.root();
      EventLog log = EventLog.open(store, layout);
      store.transact(
          tr -> {
            log.appender(tr, "acme").order();
            new TaskQueue(layout).push(tr, new QueuedTask("acme", "task", "", "", "", 0));
            new IdempotencyStore(layout).recordMinted(tr, "acme", 0, "command");
            return true;
          });
      System.out.println("stored");
    }
  }
}
