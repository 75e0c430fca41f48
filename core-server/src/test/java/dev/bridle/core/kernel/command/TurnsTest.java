package dev.bridle.core.kernel.command;

import static dev.bridle.core.kernel.command.WaitingCallers.ROW;
import static dev.bridle.core.kernel.command.WaitingCallers.TENANT;
import static dev.bridle.core.kernel.command.WaitingCallers.key;
import static dev.bridle.core.kernel.command.WaitingCallers.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.command.WaitingCallers.Attempt;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.kit.SuiteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {
  @TempDir private Path directory;
  private KeyValueStore store;
  private WaitingCallers callers;

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
    callers = new WaitingCallers(store);
  }

  @AfterEach
  void close() {
    callers.close();
    store.close();
  }

  @Test
  void aFirstAttemptDoesNotWaitWhileNobodyHasATurn() {
    assertThat(callers.inTurn(ROW).number()).isEqualTo(1);
  }

  @Test
  void anotherRowAndTheSameOfAnotherTenantHaveTurnsOfTheirOwn() {
    CompletableFuture<Attempt> holder = callers.hold();

    assertThat(callers.inTurn("another row").number()).isEqualTo(1);
    assertThat(callers.fenced("other", 0, write -> takeTurn(write, ROW)).number()).isEqualTo(1);

    callers.release();
    holder.join();
  }

  @Test
  void whoeverComesWhileSomebodyHasTheTurnWaitsAndBeginsAnew() {
    CompletableFuture<Attempt> holder = callers.hold();
    CompletableFuture<Attempt> newcomer = callers.waiting("newcomer", () -> callers.inTurn(ROW));
    assertThat(newcomer).isNotDone();

    callers.release();

    holder.join();
    assertThat(newcomer.join().number()).isEqualTo(2);
  }

  @Test
  void whoeverHasWaitedForLongGoesOnWithoutATurn() {
    try (WaitingCallers impatient = new WaitingCallers(store, Duration.ofMillis(50))) {
      CompletableFuture<Attempt> holder = impatient.hold();

      assertThat(impatient.counted("impatient").number()).isEqualTo(2);

      assertThat(impatient.applied("impatient")).isEqualTo(1);
      assertThat(holder).isNotDone();
      impatient.release();
      holder.join();
      assertThat(impatient.inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
    }
  }

  @Test
  void thoseThatWaitForATurnGoTogetherInOneTransactionEachForItsCaller() {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = new ArrayList<>();
    for (String name : names(Turns.MAX_TOGETHER + 1)) {
      others.add(callers.waiting(name, () -> callers.counted(name)));
    }

    callers.release();

    holder.join();
    List<Attempt> attempts = others.stream().map(CompletableFuture::join).toList();
    List<Attempt> together = attempts.subList(0, Turns.MAX_TOGETHER);
    assertThat(together).extracting(Attempt::tr).containsOnly(together.get(0).tr());
    assertThat(attempts.get(Turns.MAX_TOGETHER).tr()).isNotSameAs(together.get(0).tr());
    assertThat(attempts).extracting(Attempt::caller).isEqualTo(names(Turns.MAX_TOGETHER + 1));
    assertThat(attempts).extracting(Attempt::number).containsOnly(2);
    assertThat(callers.events(TENANT)).isEqualTo(names(Turns.MAX_TOGETHER + 1));
    assertFree();
  }

  @Test
  void whatIsTooLargeForOneTransactionWithOthersWaitsForTheNext() {
    CompletableFuture<Attempt> holder = callers.hold();
    long half = Turns.MAX_BYTES / 2;
    List<CompletableFuture<Attempt>> others = new ArrayList<>();
    for (String name : names(4)) {
      others.add(callers.waiting(name, () -> callers.counted(name, half)));
    }

    callers.release();

    holder.join();
    List<Attempt> attempts = others.stream().map(CompletableFuture::join).toList();
    assertThat(attempts.get(0).tr()).isSameAs(attempts.get(1).tr());
    assertThat(attempts.get(2).tr()).isNotSameAs(attempts.get(1).tr());
    assertThat(attempts.get(2).tr()).isSameAs(attempts.get(3).tr());
    assertThat(callers.events(TENANT)).isEqualTo(names(4));
  }

  @Test
  void aCommandWithAnIdThatWaitsRunsInATransactionOfItsOwn() {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = new ArrayList<>();
    others.add(callers.waiting("fenced", () -> callers.inTurn(ROW)));
    others.add(
        callers.waiting(
            "once",
            () -> callers.commands().once(TENANT, "once", write -> callers.count(write, "once"))));
    others.add(callers.waiting("fenced, too", () -> callers.inTurn(ROW)));

    callers.release();

    holder.join();
    assertThat(others.stream().map(other -> other.join().tr())).doesNotHaveDuplicates();
    assertThat(callers.applied("once")).isEqualTo(1);
  }

  @Test
  void whoeverHasATurnDoesNotWaitForAnother() {
    CompletableFuture<Attempt> holder = callers.hold();

    Attempt both =
        callers.fenced(
            write -> {
              write.takeTurn("another row");
              if (write.attempt() == 1) {
                throw new StoreException(Code.CONFLICT, "as if another had changed the row");
              }
              return takeTurn(write, ROW);
            });

    assertThat(both.number()).isEqualTo(2);
    callers.release();
    holder.join();
  }

  @Test
  void commandsThatManyCallersMakeAtOnceAreEachAppliedOnce() {
    List<CompletableFuture<Attempt>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(callers.call("caller", this::incremented));
    }
    all.forEach(CompletableFuture::join);

    assertThat(callers.applied("number")).isEqualTo(200);
    assertFree();
  }

  /** Reads and writes one key, as the next receipt of a chain does. */
  private Attempt incremented() {
    return callers.fenced(
        write -> {
          Attempt attempt = takeTurn(write, ROW);
          long before = write.tr().get(key("number")).map(WaitingCallers::number).orElse(0L);
          write.tr().set(key("number"), WaitingCallers.bytes(before + 1));
          return attempt;
        });
  }

  private void assertFree() {
    assertThat(callers.inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "command " + i).toList();
  }
}
