package dev.bridle.storage.kit.fault;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.CycleContract;
import dev.bridle.storage.kit.LinearizabilityContract;
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
 * store tries again; those that count what was committed hold while nothing is applied unseen; and
 * what is recorded with open outcomes is linearizable also where writes land late.
 */
@DisplayName("The contract under faults of seed " + SuitesUnderFaultsTest.SEED)
class SuitesUnderFaultsTest {
  static final long SEED = 5;

  @TempDir static Path directory;

  private static KeyValueStore real;

  @BeforeAll
  static void openStore() {
    real = SuiteStore.openSteady(directory);
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
    return hooks(faults, new FaultRates(0.1, 0.002, 0));
  }

  private static StoreHooks hooks(Set<Fault> faults, FaultRates rates) {
    RandomPlan plan = new RandomPlan(Long.getLong(RandomPlan.SEED, SEED), rates, faults);
    return new Hooks(new FaultyStore(real, plan));
  }

  private static Set<Fault> seen() {
    return EnumSet.of(Fault.CONFLICT, Fault.TOO_OLD, Fault.UNKNOWN_AND_LOST, Fault.SLOW);
  }

  /** What leaves the outcome of an operation open, late application included. */
  private static Set<Fault> open() {
    return EnumSet.of(
        Fault.UNKNOWN_BUT_APPLIED,
        Fault.UNKNOWN_AND_LOST,
        Fault.TIMED_OUT_BUT_APPLIED,
        Fault.TIMED_OUT_AND_LOST,
        Fault.TIMED_OUT_THEN_APPLIED,
        Fault.CANCELLED_BUT_APPLIED,
        Fault.CANCELLED_AND_LOST,
        Fault.CANCELLED_THEN_APPLIED);
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

  @Nested
  class Linearizability extends LinearizabilityContract {
    Linearizability() {
      super(hooks(open(), new FaultRates(0.05, 0, 0)));
    }
  }
}
