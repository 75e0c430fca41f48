package dev.bridle.core.fault;

import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.embedded.StoreImage;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.FaultPlan;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/**
 * Plays scenarios one after the other, each on a fresh scene. In memory all scenes begin with one
 * prepared image; another engine's store is cleared and prepared anew for each.
 */
final class Scenes implements AutoCloseable {
  private final Optional<KeyValueStore> cleared;
  private final Scene prepared;
  private final StoreImage image;

  Scenes(Path directory) {
    if (SuiteStore.inMemory()) {
      try (InMemoryStore store = InMemoryStore.open()) {
        this.prepared = prepare(store);
        this.image = store.image();
      }
      this.cleared = Optional.empty();
    } else {
      KeyValueStore store = SuiteStore.openSteady(directory);
      this.prepared = new Scene(store, "", "");
      this.image = StoreImage.EMPTY;
      this.cleared = Optional.of(store);
    }
  }

  /** Plays a scenario, checks what it left, and returns how many faults it met. */
  long play(FaultPlan plan, Scenario scenario) {
    if (cleared.isPresent()) {
      return World.play(prepareAgain(cleared.get()), plan, scenario);
    }
    try (InMemoryStore store = InMemoryStore.openOnOneThread(image)) {
      return World.play(prepared.on(store), plan, scenario);
    }
  }

  private static Scene prepareAgain(KeyValueStore store) {
    store.transact(
        tr -> {
          tr.clear(new KeyRange(new byte[0], new byte[] {(byte) 0xFF}));
          return true;
        });
    return prepare(store);
  }

  static Scene prepare(KeyValueStore store) {
    SetTime time = new SetTime();
    try (SteppedCore core = new SteppedCore(store, time, time::nanos, new Random(2))) {
      String vault = SampleVaults.made(core.owner(), "default").getId();
      String session = SampleVaults.session(core.owner(), vault);
      return new Scene(store, vault, session);
    }
  }

  @Override
  public void close() {
    cleared.ifPresent(KeyValueStore::close);
  }
}
