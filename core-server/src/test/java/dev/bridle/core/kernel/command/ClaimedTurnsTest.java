package dev.bridle.core.kernel.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.command.ClaimedTurns.Times;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.TurnClaims;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers over one store that take turns at a row. */
final class ClaimedTurnsTest {
  private static final String ROW = "acme/receipts of session_1";
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Times PATIENT =
      new Times(Duration.ofMillis(200), LONG, LONG, LONG, Duration.ofSeconds(1));

  @TempDir private Path directory;
  private final TurnClaims claims = new TurnClaims(KeyLayout.root());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong nanos = new AtomicLong();
  private KeyValueStore store;

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  @Test
  void aRowThatNoOtherServerChangesIsNotClaimed() {
    ClaimedTurns one = server("one", PATIENT);

    one.enter(ROW);

    assertThat(one.holds(ROW)).isFalse();
    assertThat(keys()).isZero();
  }

  @Test
  void aTurnThatNobodyWaitsForIsFreedAndSoonNotTakenAnyMore() {
    ClaimedTurns one = contended("one", PATIENT);
    one.enter(ROW);
    assertThat(one.holds(ROW)).isTrue();

    one.leave(ROW);

    assertThat(one.holds(ROW)).isFalse();
    assertThat(keys()).isZero();
    pass(PATIENT.quiet());
    assertThat(one.isContended(ROW)).isFalse();
  }

  @Test
  void whoLeavesHandsTheTurnToWhoWaits() {
    ClaimedTurns one = contended("one", PATIENT);
    ClaimedTurns two = contended("two", PATIENT);
    one.enter(ROW);
    CompletableFuture<Void> entering = entering(two);
    awaitWaiting("one", "two");

    one.leave(ROW);

    entering.join();
    assertThat(two.holds(ROW)).isTrue();
    two.leave(ROW);
    assertThat(keys()).isZero();
  }

  @Test
  void aServerWithMoreWorkWaitsForItsNextTurnOnceItsSliceIsOver() {
    ClaimedTurns one = contended("one", PATIENT);
    ClaimedTurns two = contended("two", PATIENT);
    one.enter(ROW);
    CompletableFuture<Void> entering = entering(two);
    awaitWaiting("one", "two");
    one.enter(ROW);
    assertThat(entering).as("within its slice").isNotDone();

    pass(PATIENT.slice());
    CompletableFuture<Void> again = entering(one);
    entering.join();
    awaitWaiting("two", "one");
    assertThat(again).isNotDone();
    two.leave(ROW);

    again.join();
    assertThat(one.holds(ROW)).isTrue();
  }

  @Test
  void aServerKeepsATurnThatNobodyElseWantsOverItsSlice() {
    ClaimedTurns one = contended("one", PATIENT);
    one.enter(ROW);
    pass(PATIENT.slice());

    one.enter(ROW);

    assertThat(one.holds(ROW)).isTrue();
    assertThat(holder()).isEqualTo("one");
  }

  @Test
  void turnsGoRound() {
    List<String> order = new CopyOnWriteArrayList<>();
    ClaimedTurns two = contended("two", PATIENT);
    two.enter(ROW);
    for (String name : List.of("three", "one", "four")) {
      ClaimedTurns other = contended(name, PATIENT);
      CompletableFuture<Void> unused =
          entering(other)
              .thenRun(
                  () -> {
                    order.add(name);
                    other.leave(ROW);
                  });
      awaitWaiting("two", name);
    }

    two.leave(ROW);

    await().until(() -> order.size() == 3);
    assertThat(order).containsExactly("four", "one", "three");
  }

  @Test
  void theTurnOfADeadServerIsTakenOver() {
    Times short_ =
        new Times(Duration.ofMillis(20), Duration.ofMillis(100), LONG, LONG, Duration.ofSeconds(1));
    ClaimedTurns dead = real("dead", short_);
    ClaimedTurns two = real("two", short_);
    dead.enter(ROW);

    two.enter(ROW);

    assertThat(two.holds(ROW)).isTrue();
    assertThat(holder()).isEqualTo("two");
    dead.leave(ROW);
    assertThat(holder()).as("who comes back later takes nothing away").isEqualTo("two");
  }

  @Test
  void whoHasWaitedForLongGoesOnWithoutATurnAndIsNotHandedIt() {
    ClaimedTurns one = contended("one", PATIENT);
    ClaimedTurns hasty =
        real("two", new Times(Duration.ofMillis(20), LONG, Duration.ofMillis(50), LONG, LONG));
    one.enter(ROW);

    hasty.enter(ROW);

    assertThat(hasty.holds(ROW)).isFalse();
    one.leave(ROW);
    assertThat(keys()).isZero();
  }

  @Test
  void claimsOfServersThatAreGoneAreForgottenAtOnce() {
    ClaimedTurns gone = contended("gone", PATIENT);
    gone.enter(ROW);

    store.transact(
        tr -> {
          claims.forgetAll(tr);
          return true;
        });

    ClaimedTurns one = contended("one", PATIENT);
    one.enter(ROW);
    assertThat(one.holds(ROW)).isTrue();
  }

  @Test
  void noTwoServersHaveTheTurnAtOnce() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Void>> all = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 4; i++) {
      String name = "server " + i;
      ClaimedTurns server = real(name, new Times(Duration.ofMillis(1), LONG, LONG, LONG, LONG));
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int turn = 0; turn < 25; turn++) {
                  server.enter(ROW);
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  assertThat(holder()).isEqualTo(name);
                  inside.decrementAndGet();
                  if (turn % 3 == 0) {
                    server.leave(ROW);
                  }
                }
                server.leave(ROW);
              },
              threads));
    }
    all.forEach(CompletableFuture::join);

    assertThat(most).hasValue(1);
    assertThat(keys()).isZero();
  }

  private ClaimedTurns server(String name, Times times) {
    return new ClaimedTurns(store, claims, name, times, nanos::get);
  }

  private ClaimedTurns contended(String name, Times times) {
    ClaimedTurns server = server(name, times);
    server.conflicted(ROW);
    return server;
  }

  /** Returns a server on the real clock. */
  private ClaimedTurns real(String name, Times times) {
    ClaimedTurns server = new ClaimedTurns(store, claims, name, times, System::nanoTime);
    server.conflicted(ROW);
    return server;
  }

  private CompletableFuture<Void> entering(ClaimedTurns server) {
    return CompletableFuture.runAsync(() -> server.enter(ROW), threads);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Waits until a server waits for the turn of another. */
  private void awaitWaiting(String holder, String process) {
    byte[] row = ClaimedTurns.row(ROW);
    await().until(() -> store.read(tr -> claims.waiting(tr, row)).contains(process));
    assertThat(holder()).isEqualTo(holder);
  }

  private String holder() {
    return store.read(tr -> claims.find(tr, ClaimedTurns.row(ROW))).orElseThrow().process();
  }

  private int keys() {
    return store.read(
        tr ->
            claims.find(tr, ClaimedTurns.row(ROW)).stream().toList().size()
                + claims.waiting(tr, ClaimedTurns.row(ROW)).size());
  }
}
