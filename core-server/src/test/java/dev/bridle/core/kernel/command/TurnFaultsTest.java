package dev.bridle.core.kernel.command;

import static dev.bridle.core.kernel.command.WaitingCallers.ROW;
import static dev.bridle.core.kernel.command.WaitingCallers.TENANT;
import static dev.bridle.core.kernel.command.WaitingCallers.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.command.WaitingCallers.Attempt;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of commands that share a transaction when something goes wrong. */
class TurnFaultsTest {
  private static final List<String> NAMES = List.of("first", "second", "third", "fourth");

  @TempDir private Path directory;
  private KeyValueStore beneath;
  private FaultyStore store;
  private WaitingCallers callers;

  /** What happens at the next commits that write. */
  private final Queue<Fault> faults = new ArrayDeque<>();

  @BeforeEach
  void open() {
    beneath = SuiteStore.open(directory);
    store = new FaultyStore(beneath, FaultPlan.ofCommits(this::next));
    callers = new WaitingCallers(store);
  }

  @AfterEach
  void close() {
    callers.close();
    store.close();
    beneath.close();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CONFLICT",
        "UNKNOWN_BUT_APPLIED",
        "UNKNOWN_AND_LOST",
        "TIMED_OUT_BUT_APPLIED",
        "TIMED_OUT_AND_LOST",
        "CANCELLED_AND_LOST",
        "TIMED_OUT_THEN_APPLIED"
      })
  void eachIsAppliedOnceUnderOneIdIfTheirCommitFails(Fault fault) {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = waiting(NAMES);
    plan(fault);

    callers.release();

    holder.join();
    others.forEach(CompletableFuture::join);
    store.settle();
    for (String name : NAMES) {
      assertThat(callers.applied(name)).as(name).isEqualTo(1);
      assertThat(callers.ids(name)).as(name).hasSize(1);
    }
    assertThat(callers.events(TENANT)).containsExactlyInAnyOrderElementsOf(NAMES);
    assertFree();
  }

  @Test
  void nobodyHasAnAnswerBeforeTheCommitOfAll() {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = waiting(NAMES);
    // Each alone is lost as well, so none may say that it is done.
    for (int i = 0; i <= NAMES.size(); i++) {
      plan(Fault.TIMED_OUT_AND_LOST);
    }

    callers.release();

    holder.join();
    for (CompletableFuture<Attempt> other : others) {
      assertThatThrownBy(other::join).hasRootCauseInstanceOf(StoreException.class);
    }
    assertThat(callers.events(TENANT)).isEmpty();
    assertFree();
  }

  @Test
  void aFailureThatWroteNothingSaysSoOnlyIfNoEarlierAttemptMayHave() {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others =
        waiting(NAMES.subList(0, 2), name -> () -> onceThenFailing(name));
    plan(Fault.TIMED_OUT_BUT_APPLIED);

    callers.release();

    holder.join();
    for (CompletableFuture<Attempt> other : others) {
      assertThatThrownBy(other::join)
          .cause()
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.code()).isEqualTo(Code.COMMIT_UNKNOWN));
    }
  }

  @Test
  void oneThatFailsAmongOthersFailsByItselfAndTheOthersAreAppliedInTheirOrder() {
    List<String> order = new CopyOnWriteArrayList<>();
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = waiting(NAMES, name -> () -> noted(name, order));
    CompletableFuture<Attempt> bad =
        callers.waiting("bad", () -> failing(() -> new IllegalStateException("the bad one")));

    callers.release();

    holder.join();
    assertThatThrownBy(bad::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("the bad one");
    assertThat(others).extracting(other -> other.join().number()).containsOnly(3);
    assertThat(others.stream().map(other -> other.join().tr())).doesNotHaveDuplicates();
    assertThat(order).isEqualTo(NAMES);
    assertThat(callers.events(TENANT)).isEqualTo(NAMES);
    assertThat(callers.applied("bad")).isZero();
    assertFree();
  }

  @Test
  void anErrorOfOneIsNotThatOfWhoeverTookItAlong() {
    CompletableFuture<Attempt> holder = callers.hold();
    List<CompletableFuture<Attempt>> others = waiting(NAMES.subList(0, 2));
    CompletableFuture<Attempt> bad =
        callers.waiting("bad", () -> failing(() -> new StackOverflowError("the bad one")));
    others.addAll(waiting(NAMES.subList(2, 4)));

    callers.release();

    holder.join();
    others.forEach(CompletableFuture::join);
    assertThatThrownBy(bad::join).hasCauseInstanceOf(StackOverflowError.class);
    assertThat(callers.events(TENANT)).isEqualTo(NAMES);
    assertFree();
  }

  @Test
  void aTurnEndsThoughWhatFollowsTheCommandFails() {
    assertThatThrownBy(
            () ->
                callers.fenced(
                    write -> {
                      Attempt attempt = takeTurn(write, ROW);
                      if (write.attempt() == 1) {
                        write.afterwards(
                            () -> {
                              throw new IllegalStateException("a listener failed");
                            });
                        throw new StoreException(Code.CONFLICT, "as if another had changed it");
                      }
                      return attempt;
                    }))
        .hasMessage("a listener failed");

    assertFree();
  }

  private List<CompletableFuture<Attempt>> waiting(List<String> names) {
    return waiting(names, name -> () -> callers.counted(name));
  }

  private List<CompletableFuture<Attempt>> waiting(
      List<String> names, Function<String, Callable<Attempt>> command) {
    List<CompletableFuture<Attempt>> all = new ArrayList<>();
    names.forEach(name -> all.add(callers.waiting(name, command.apply(name))));
    return all;
  }

  private <E extends Throwable> Attempt failing(Supplier<E> failure) throws E {
    E thrown = failure.get();
    return callers.fenced(
        write -> {
          Attempt attempt = callers.count(write, "bad");
          assertThat(attempt.number()).isGreaterThan(1);
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) thrown;
        });
  }

  /** Its attempts with others count; the one alone finds the store full. */
  private Attempt onceThenFailing(String name) {
    return callers.fenced(
        write -> {
          Attempt attempt = callers.count(write, name);
          if (attempt.number() > 2) {
            throw new StoreException(Code.DISK_LOW, "as if the disk were full");
          }
          return attempt;
        });
  }

  private Attempt noted(String name, List<String> order) {
    return callers.fenced(
        write -> {
          Attempt attempt = callers.count(write, name);
          if (attempt.number() == 3) {
            order.add(name);
          }
          return attempt;
        });
  }

  private void assertFree() {
    assertThat(callers.inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
  }

  private void plan(Fault fault) {
    synchronized (faults) {
      faults.add(fault);
    }
  }

  private Fault next() {
    synchronized (faults) {
      return Optional.ofNullable(faults.poll()).orElse(Fault.NONE);
    }
  }
}
