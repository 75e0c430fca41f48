package dev.bridle.storage.kit.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultyStoreTest {
  private static final byte[] COUNT = "count".getBytes(UTF_8);

  @TempDir Path directory;

  private KeyValueStore real;

  @BeforeEach
  void open() {
    real = SuiteStore.openSteady(directory);
  }

  @AfterEach
  void close() {
    real.close();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CONFLICT",
        "TOO_OLD",
        "UNKNOWN_BUT_APPLIED",
        "UNKNOWN_AND_LOST",
        "CLUSTER_CHANGED_BUT_APPLIED",
        "CLUSTER_CHANGED_AND_LOST",
        "TIMED_OUT_BUT_APPLIED",
        "TIMED_OUT_AND_LOST",
        "TIMED_OUT_THEN_APPLIED",
        "CANCELLED_BUT_APPLIED",
        "CANCELLED_AND_LOST",
        "CANCELLED_THEN_APPLIED",
        "OPERATION_CANCELLED_BUT_APPLIED",
        "OPERATION_CANCELLED_AND_LOST",
        "OPERATION_CANCELLED_THEN_APPLIED"
      })
  void aFaultOfACommitTellsItsCodeAndAppliesLosesOrKeepsTheWrites(Fault fault) {
    FaultyStore faulty = new FaultyStore(real, FaultPlan.ofCommits(() -> fault));
    StoreException thrown = catchThrowableOfType(StoreException.class, () -> addOnce(faulty));
    assertThat(thrown.code()).isEqualTo(fault.code().orElseThrow());
    assertThat(count()).isEqualTo(fault.fate() == Fault.Fate.APPLIED ? 1 : 0);
    faulty.settle();
    assertThat(count()).isEqualTo(fault.fate() == Fault.Fate.LOST ? 0 : 1);
  }

  @Test
  void nothingGoesWrongWithTransactionsThatOnlyReadUnlessThePlanSaysSo() {
    FaultyStore faulty = new FaultyStore(real, FaultPlan.ofCommits(() -> Fault.CONFLICT));
    assertThat(faulty.read(tr -> tr.get(COUNT)).isPresent()).isFalse();
  }

  @Test
  void aReadThatIsTooOldIsTriedAgain() {
    FaultyStore faulty = new FaultyStore(real, at(1, OperationKind.GET, Fault.TOO_OLD));
    assertThat(faulty.read(tr -> tr.get(COUNT)).isPresent()).isFalse();
    assertThat(faulty.faults()).isEqualTo(1);
  }

  @Test
  void aLateCommitThatReadWhatHasChangedSinceIsRefused() {
    FaultyStore faulty =
        new FaultyStore(real, at(3, OperationKind.COMMIT, Fault.TIMED_OUT_THEN_APPLIED));
    assertThatThrownBy(() -> copy(faulty)).isInstanceOf(StoreException.class);
    copy(faulty);
    assertThat(faulty.refusedLate()).isEqualTo(1);
    assertThat(faulty.landedLate()).isZero();
  }

  @Test
  void aLateCommitMayLandInTheMidstOfItsRetry() {
    Operation commit = new Operation(3, OperationKind.COMMIT, true, "");
    FaultyStore faulty = new FaultyStore(real, new AtStep(commit, Fault.TIMED_OUT_THEN_APPLIED, 3));
    assertThatThrownBy(() -> copy(faulty)).isInstanceOf(StoreException.class);
    try (Transaction retry = faulty.begin(TransactionOptions.DEFAULT)) {
      assertThat(retry.get(COUNT)).isEmpty();
      retry.set(COUNT, COUNT);
      assertThat(faulty.landedLate()).isEqualTo(1);
      assertThat(catchThrowableOfType(StoreException.class, retry::commit).code())
          .isEqualTo(Code.CONFLICT);
    }
  }

  @Test
  void aCrashLeavesWhatWasCommittedAndNothingElse() {
    FaultyStore faulty = new FaultyStore(real, at(6, OperationKind.BEGIN, Fault.CRASH));
    addOnce(faulty);
    var unused = faulty.read(tr -> tr.readVersion() > 0);
    assertThatThrownBy(() -> addOnce(faulty)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> faulty.read(tr -> tr.get(COUNT))).isInstanceOf(SimulatedCrash.class);
    assertThat(faulty.crashed()).isTrue();
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aProcessMayBeGoneBeforeItHearsOfItsCommit() {
    FaultyStore faulty =
        new FaultyStore(real, at(2, OperationKind.COMMIT, Fault.CRASH_ONCE_APPLIED));
    assertThatThrownBy(() -> addOnce(faulty)).isInstanceOf(SimulatedCrash.class);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aWatchMayBeToldWithoutAChange() {
    FaultyStore faulty = new FaultyStore(real, at(1, OperationKind.WATCH, Fault.WATCH_EARLY));
    assertThat(watch(faulty)).isCompleted();
  }

  @Test
  void aLateWatchIsToldAfterTheChange() throws Exception {
    FaultyStore faulty = new FaultyStore(real, at(1, OperationKind.WATCH, Fault.WATCH_LATE));
    CompletableFuture<Void> told = watch(faulty);
    assertThat(told).isNotDone();
    addOnce(faulty);
    told.get(60, TimeUnit.SECONDS);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aRecordedScenarioNamesItsOperations() {
    Recording recording = new Recording();
    FaultyStore faulty = new FaultyStore(real, recording);
    faulty.during("counting");
    addOnce(faulty);
    assertThat(recording.operations())
        .extracting(Operation::toString)
        .containsExactly("#0 begin of counting", "#1 set of counting", "#2 commit of counting");
  }

  @Test
  void aScenarioThatDoesNotRepeatIsNoticed() {
    FaultyStore faulty = new FaultyStore(real, at(0, OperationKind.COMMIT, Fault.CRASH));
    assertThatThrownBy(() -> addOnce(faulty))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not repeat");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void theSameSeedMeetsTheSameOperationsWithTheSameFaults(long seed) {
    assertThat(run(seed)).isEqualTo(run(seed)).isNotEqualTo(run(seed + 100));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void aCommandThatRecordsItsIdIsAppliedOnceWhateverFails(long seed) {
    FaultyStore faulty =
        new FaultyStore(real, new RandomPlan(seed, new FaultRates(0.4, 0.05, 0), Fault.survived()));
    for (int i = 0; i < 50; i++) {
      byte[] command = ("command/" + i).getBytes(UTF_8);
      boolean confirmed = false;
      while (!confirmed) {
        confirmed = tryOnce(faulty, command);
      }
    }
    faulty.settle();
    assertThat(count()).isEqualTo(50);
    assertThat(faulty.faults()).isPositive();
  }

  private static boolean tryOnce(FaultyStore faulty, byte[] command) {
    try {
      faulty.transact(
          tr -> {
            if (tr.get(command).isEmpty()) {
              tr.set(command, command);
              tr.add(COUNT, 1);
            }
            return true;
          });
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  private List<Fault> run(long seed) {
    List<Fault> met = new ArrayList<>();
    RandomPlan plan = new RandomPlan(seed, new FaultRates(0.5, 0.5, 0), Fault.survived());
    FaultyStore faulty =
        new FaultyStore(
            real,
            operation -> {
              met.add(plan.at(operation));
              return Fault.NONE;
            });
    for (int i = 0; i < 20; i++) {
      addOnce(faulty);
      copy(faulty);
    }
    return met;
  }

  private static AtStep at(long number, OperationKind kind, Fault fault) {
    return new AtStep(new Operation(number, kind, kind == OperationKind.COMMIT, ""), fault);
  }

  private static void addOnce(KeyValueStore store) {
    try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      tr.add(COUNT, 1);
      tr.commit();
    }
  }

  /** Reads one key and writes it. */
  private static void copy(KeyValueStore store) {
    try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      tr.set(COUNT, tr.get(COUNT).orElse(new byte[8]));
      tr.commit();
    }
  }

  private static CompletableFuture<Void> watch(KeyValueStore store) {
    try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      CompletableFuture<Void> told = tr.watch(COUNT);
      tr.commit();
      return told;
    }
  }

  private long count() {
    KeyValueStore store = real;
    return store
        .read(tr -> tr.get(COUNT))
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }
}
