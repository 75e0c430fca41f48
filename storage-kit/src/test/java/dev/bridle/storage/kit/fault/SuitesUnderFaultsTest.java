package dev.bridle.storage.kit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.ContentionContract;
import dev.bridle.storage.kit.CycleContract;
import dev.bridle.storage.kit.LargeRangeContract;
import dev.bridle.storage.kit.LinearizabilityContract;
import dev.bridle.storage.kit.SerializabilityContract;
import dev.bridle.storage.kit.StoreHooks;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The suites whose work comes to the same when it is run twice hold under every fault that the
 * store tries again; those that count what was committed hold while nothing is applied unseen; and
 * what is recorded with open outcomes is linearizable also where writes land late.
 *
 * <p>A seed fixes which operation, by its number, meets which fault. Which thread's that is depends
 * on how they run; {@code core}'s runs at every step repeat to the letter.
 */
@ParameterizedClass(name = "The contract under faults of seed {0}")
@MethodSource("seeds")
class SuitesUnderFaultsTest {
  private static final long[] SEEDS = {5, 6, 7};

  /** For work of a few operations. */
  private static final FaultRates OFTEN = new FaultRates(0.5, 0.5, 0);

  @TempDir static Path directory;

  /** How many faults each suite has met, in all its tests. */
  private static final Map<String, Long> FAULTS = new TreeMap<>();

  private static KeyValueStore real;

  private final long seed;
  private final List<FaultyStore> faulty = new ArrayList<>();

  SuitesUnderFaultsTest(long seed) {
    this.seed = seed;
  }

  /** Returns the seed that the property names, or several. */
  static LongStream seeds() {
    Long named = Long.getLong(RandomPlan.SEED);
    return named == null ? Arrays.stream(SEEDS) : LongStream.of(named);
  }

  @BeforeAll
  static void openStore() {
    real = SuiteStore.openSteady(directory);
  }

  @AfterAll
  static void close() {
    real.close();
    // A plan that never did anything would have every suite pass.
    assertThat(FAULTS).isNotEmpty().allSatisfy((suite, faults) -> assertThat(faults).isPositive());
  }

  private record Hooks(KeyValueStore store) implements StoreHooks {
    @Override
    public KeyValueStore reopen() {
      throw new UnsupportedOperationException("these suites do not reopen their store");
    }
  }

  private StoreHooks hooks(Set<Fault> faults) {
    return hooks(faults, new FaultRates(0.1, 0.002, 0));
  }

  private StoreHooks hooks(Set<Fault> faults, FaultRates rates) {
    FaultyStore store = new FaultyStore(real, new RandomPlan(seed, rates, faults));
    faulty.add(store);
    return new Hooks(store);
  }

  @AfterEach
  void settle(TestInfo test) {
    String suite = test.getTestClass().map(Class::getSimpleName).orElseThrow();
    for (FaultyStore store : faulty) {
      store.close();
      FAULTS.merge(suite, store.faults(), Long::sum);
    }
  }

  /** What leaves the outcome of an operation open, late application included. */
  private static Set<Fault> open() {
    return EnumSet.of(
        Fault.UNKNOWN_BUT_APPLIED,
        Fault.UNKNOWN_AND_LOST,
        Fault.CLUSTER_CHANGED_BUT_APPLIED,
        Fault.CLUSTER_CHANGED_AND_LOST,
        Fault.TIMED_OUT_BUT_APPLIED,
        Fault.TIMED_OUT_AND_LOST,
        Fault.TIMED_OUT_THEN_APPLIED,
        Fault.CANCELLED_BUT_APPLIED,
        Fault.CANCELLED_AND_LOST,
        Fault.CANCELLED_THEN_APPLIED,
        Fault.OPERATION_CANCELLED_BUT_APPLIED,
        Fault.OPERATION_CANCELLED_AND_LOST,
        Fault.OPERATION_CANCELLED_THEN_APPLIED);
  }

  @Nested
  class Cycle extends CycleContract {
    Cycle() {
      super(hooks(Fault.hidden()));
    }
  }

  @Nested
  class LargeRange extends LargeRangeContract {
    LargeRange() {
      super(hooks(Fault.hidden(), OFTEN));
    }
  }

  @Nested
  class Serializability extends SerializabilityContract {
    Serializability() {
      super(hooks(Fault.hidden()));
    }
  }

  @Nested
  class Contention extends ContentionContract {
    Contention() {
      super(hooks(Fault.hidden()));
    }
  }

  @Nested
  class Linearizability extends LinearizabilityContract {
    Linearizability() {
      super(hooks(open(), new FaultRates(0.05, 0, 0)));
    }
  }
}
