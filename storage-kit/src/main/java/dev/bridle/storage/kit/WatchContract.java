package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A watch fires when a key has another value than the one its transaction read. */
public abstract class WatchContract extends StoreSuite {

  protected WatchContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void aWatchFiresWhenItsKeyIsSet() {
    CompletableFuture<Void> watch = watch("a");
    stored("b", "other");
    assertThat(watch).isNotDone();
    stored("a", "1");
    await().until(watch::isDone);
    assertThat(watch).isCompleted();
  }

  @Test
  void aWatchFiresWhenItsKeyIsClearedWithARange() {
    stored("b", "1");
    CompletableFuture<Void> watch = watch("b");
    store()
        .transact(
            tr -> {
              tr.clear(range("a", "c"));
              return null;
            });
    await().until(watch::isDone);
  }

  @Test
  void aWatchFiresWhenItsNumberIsAddedTo() {
    CompletableFuture<Void> watch = watch("a");
    store()
        .transact(
            tr -> {
              tr.add(key("a"), 1);
              return null;
            });
    await().until(watch::isDone);
  }

  @Test
  void aChangeBetweenTheReadAndTheCommitIsNotMissed() {
    CompletableFuture<Void> watch;
    try (Transaction tr = begin()) {
      get(tr.snapshot(), "a");
      watch = tr.watch(key("a"));
      stored("a", "1");
      tr.commit();
    }
    await().until(watch::isDone);
    assertThat(watch).isCompleted();
  }

  @Test
  void ownWritesAreWhatTheTransactionSaw() {
    CompletableFuture<Void> watch;
    try (Transaction tr = begin()) {
      put(tr, "a", "mine");
      watch = tr.watch(key("a"));
      tr.commit();
    }
    stored("b", "x");
    assertThat(watch).isNotDone();
    stored("a", "theirs");
    await().until(watch::isDone);
  }

  @Test
  void severalChangesAndSeveralWatchersAreAllServed() {
    List<CompletableFuture<Void>> watches =
        IntStream.range(0, 50).mapToObj(i -> watch("a")).toList();
    for (int i = 0; i < 10; i++) {
      stored("a", "" + i);
    }
    await().until(() -> watches.stream().allMatch(CompletableFuture::isDone));
  }

  @Test
  void aChangeAndItsWayBackMayBeMissedAndALaterChangeIsNot() {
    stored("a", "1");
    CompletableFuture<Void> watch = watch("a");
    stored("a", "2");
    stored("a", "1");
    stored("a", "3");
    await().until(watch::isDone);
    assertThat(watch).isCompleted();
  }

  @Test
  void changesAreToldAsOneUntilTheWatcherLooksAgain() {
    CompletableFuture<Void> watch = watch("a");
    stored("a", "1");
    await().until(watch::isDone);
    stored("a", "2");
    stored("a", "3");
    CompletableFuture<Void> next = watch("a");
    assertThat(now("a")).contains("3");
    assertThat(next).isNotDone();
    stored("a", "4");
    await().until(next::isDone);
  }

  @Test
  void othersWhoWatchTheKeyAreToldAlthoughOneWatchIsCancelled() {
    CompletableFuture<Void> cancelled = watch("a");
    CompletableFuture<Void> other = watch("a");
    cancelled.cancel(false);
    stored("a", "1");
    await().until(other::isDone);
    assertThat(other).isCompleted();
  }

  @Test
  void aWatchReadsItsKeySoThatAChangeBeforeTheCommitConflicts() {
    try (Transaction tr = begin()) {
      CompletableFuture<Void> watch = tr.watch(key("a"));
      put(tr, "b", "1");
      stored("a", "1");
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
      await().until(watch::isCompletedExceptionally);
    }
  }

  @Test
  void aWatchOutlivesTheTimeOfItsTransaction() {
    TransactionOptions brief = new TransactionOptions(Duration.ofMillis(300), 1);
    CompletableFuture<Void> watch = store().transact(brief, tr -> tr.watch(key("a")));
    try (Transaction after = store().begin(brief)) {
      await().until(() -> hasNoTimeLeft(after));
    }
    assertThat(watch.isCompletedExceptionally()).isFalse();
    stored("a", "1");
    await().until(watch::isDone);
    assertThat(watch).isCompleted();
  }

  private boolean hasNoTimeLeft(Transaction tr) {
    try {
      get(tr, "b");
      return false;
    } catch (StoreException e) {
      return e.code() == Code.TIMED_OUT;
    }
  }

  @Test
  @Tag("slow")
  void aWatchBeyondTheEnginesNumberFailsUntilOthersAreCancelled() {
    List<CompletableFuture<Void>> watches = new ArrayList<>();
    while (watches.stream().noneMatch(CompletableFuture::isCompletedExceptionally)) {
      assertThat(watches).hasSizeLessThan(50_000);
      store()
          .transact(
              tr -> {
                IntStream.range(0, 500).forEach(i -> watches.add(tr.watch(key("a"))));
                return true;
              });
    }
    CompletableFuture<Void> refused =
        watches.stream().filter(CompletableFuture::isCompletedExceptionally).findFirst().get();
    assertThat(failureOf(() -> rethrow(refused))).isEqualTo(Code.WATCH_LIMIT);
    watches.forEach(watch -> watch.cancel(false));
    await().until(() -> !watch("a").isCompletedExceptionally());
  }

  @Test
  void aWatchWhoseTransactionDidNotCommitFails() {
    CompletableFuture<Void> dropped;
    CompletableFuture<Void> conflicting;
    try (Transaction tr = begin()) {
      dropped = tr.watch(key("a"));
    }
    try (Transaction tr = begin()) {
      get(tr, "b");
      stored("b", "1");
      put(tr, "c", "1");
      conflicting = tr.watch(key("a"));
      assertThat(failureOf(tr::commit)).isEqualTo(Code.CONFLICT);
    }
    await().until(dropped::isCompletedExceptionally);
    await().until(conflicting::isCompletedExceptionally);
  }

  @Test
  void watchesFailWhenTheStoreCloses() {
    CompletableFuture<Void> watch = watch("a");
    reopen();
    await().until(watch::isCompletedExceptionally);
    assertThat(failureOf(() -> rethrow(watch))).isEqualTo(Code.STORE_CLOSED);
  }

  @Test
  void noChangeIsMissedByAWatcherThatReadsAndWatchesInTurn() {
    int last = 200;
    List<Integer> seen =
        Workers.run(
            4,
            thread -> {
              if (thread == 0) {
                for (int i = 1; i <= last; i++) {
                  stored("n", "" + i);
                }
                return last;
              }
              return follow(last);
            });
    assertThat(seen).containsOnly(last);
  }

  private int follow(int last) {
    int value = 0;
    while (value < last) {
      CompletableFuture<Void> watch;
      try (Transaction tr = begin()) {
        value = get(tr, "n").map(Integer::parseInt).orElse(0);
        watch = tr.watch(key("n"));
        tr.commit();
      }
      if (value < last) {
        await().until(watch::isDone);
      } else {
        watch.cancel(false);
      }
    }
    return value;
  }

  private CompletableFuture<Void> watch(String name) {
    return store().transact(tr -> tr.watch(key(name)));
  }

  private static void rethrow(CompletableFuture<Void> failed) {
    try {
      failed.join();
    } catch (CompletionException e) {
      throw (StoreException) e.getCause();
    }
  }
}
