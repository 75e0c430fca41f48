package dev.bridle.storage.kit.fault;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.CycleContract;
import dev.bridle.storage.kit.SerializabilityContract;
import dev.bridle.storage.kit.StoreHooks;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suites whose work comes to the same when it is run twice hold under every fault that the
 * store tries again; those that count what was committed hold while nothing is applied unseen.
 */
@DisplayName("The contract under faults of seed " + SuitesUnderFaultsTest.SEED)
class SuitesUnderFaultsTest {
  static final long SEED = 5;

  @TempDir static Path directory;

  private static KeyValueStore real;

  @BeforeAll
  static void open() {
    real = SuiteStore.open(directory);
  }

  @AfterAll
  static void close() {
    real.close();
  }

  private record Hooks(KeyValueStore store) implements StoreHooks {
    @Override
    public KeyValueStore reopen() {
      throw new UnsupportedOperationException("these suites do not reopen their store");
    }
  }

  private static StoreHooks hooks(Set<Fault> faults) {
    RandomPlan plan =
        new RandomPlan(Long.getLong(RandomPlan.SEED, SEED), new FaultRates(0.1, 0.002, 0), faults);
    return new Hooks(new FaultyStore(real, plan));
  }

  private static Set<Fault> seen() {
    return EnumSet.of(Fault.CONFLICT, Fault.TOO_OLD, Fault.UNKNOWN_AND_LOST, Fault.SLOW);
  }

  @Nested
  class Cycle extends CycleContract {
    Cycle() {
      super(hooks(Fault.hidden()));
    }
  }

  @Nested
  class Serializability extends SerializabilityContract {
    Serializability() {
      super(hooks(seen()));
    }
  }
}
