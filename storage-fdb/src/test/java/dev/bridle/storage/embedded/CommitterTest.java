package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;
import static dev.bridle.storage.embedded.TestStore.failureOf;
import static dev.bridle.storage.embedded.TestStore.get;
import static dev.bridle.storage.embedded.TestStore.put;
import static dev.bridle.storage.embedded.TestStore.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class CommitterTest {
  private static final long LARGE_DISK = 1L << 40;

  @TempDir Path directory;

  private final AtomicLong clock = new AtomicLong();
  private final AtomicLong usableBytes = new AtomicLong(LARGE_DISK);
  private final AtomicInteger syncs = new AtomicInteger();
  private final AtomicBoolean diskFails = new AtomicBoolean();
  private final AtomicBoolean diskStalls = new AtomicBoolean();
  private final Semaphore stalled = new Semaphore(0);
  private final EngineEnvironment surroundings =
      new EngineEnvironment(clock::get, path -> usableBytes.get(), this::beforeSync);

  @Test
  void aReaderNeverSeesWhatIsNotOnDisk() {
    try (EmbeddedStore store = open()) {
      put(store, "key", "old");
      diskStalls.set(true);
      CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> put(store, "key", "new"));
      await().until(() -> syncs.get() == 2);

      assertThat(get(store, "key")).contains("old");
      assertThat(commit).isNotDone();

      letDiskGoOn();
      commit.join();
      assertThat(get(store, "key")).contains("new");
    }
  }

  @Test
  void whatQueuesDuringASyncGoesOutInOneBatchInOrder() {
    try (EmbeddedStore store = open()) {
      diskStalls.set(true);
      CompletableFuture<Void> first = CompletableFuture.runAsync(() -> put(store, "key", "0"));
      await().until(() -> syncs.get() == 1);
      List<Thread> waiting = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        int number = i;
        Thread thread = new Thread(() -> put(store, "key" + number, "" + number));
        thread.start();
        waiting.add(thread);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
      }
      letDiskGoOn();
      first.join();
      waiting.forEach(thread -> await().until(() -> thread.getState() == Thread.State.TERMINATED));
      assertThat(syncs).hasValue(2);
      assertThat(version(store)).isEqualTo(2);
      for (int i = 1; i <= 20; i++) {
        assertThat(get(store, "key" + i)).contains("" + i);
      }
    }
  }

  @Test
  void ofTwoInOneBatchThatReadAndWriteTheSameKeyOnlyTheFirstCommits() {
    try (EmbeddedStore store = open();
        Transaction one = store.begin(TransactionOptions.DEFAULT);
        Transaction two = store.begin(TransactionOptions.DEFAULT)) {
      one.get(bytes("key"));
      two.get(bytes("key"));
      put(one, "key", "one");
      put(two, "key", "two");
      diskStalls.set(true);
      CompletableFuture<Void> blocker = CompletableFuture.runAsync(() -> put(store, "x", "y"));
      await().until(() -> syncs.get() == 1);
      Thread first = new Thread(one::commit);
      first.start();
      await().until(() -> first.getState() == Thread.State.TIMED_WAITING);
      CompletableFuture<Code> second = CompletableFuture.supplyAsync(() -> failureOf(two::commit));
      letDiskGoOn();
      blocker.join();
      assertThat(second.join()).isEqualTo(Code.CONFLICT);
      await().until(() -> first.getState() == Thread.State.TERMINATED);
      assertThat(get(store, "key")).contains("one");
    }
  }

  @Test
  void aFailedWriteFailsItsBatchAndEverythingLaterUntilAReopen() {
    try (EmbeddedStore store = open()) {
      put(store, "key", "kept");
      Transaction open = store.begin(TransactionOptions.DEFAULT);
      put(open, "other", "x");
      diskFails.set(true);
      assertThat(failureOf(() -> put(store, "key", "lost"))).isEqualTo(Code.STORE_FAILED);
      diskFails.set(false);

      assertThat(failureOf(() -> put(store, "key", "refused"))).isEqualTo(Code.STORE_FAILED);
      assertThat(failureOf(open::commit)).isEqualTo(Code.STORE_FAILED);
      assertThat(syncs).hasValue(2);
      open.close();
    }
    try (EmbeddedStore store = open()) {
      assertThat(get(store, "key")).contains("kept");
      put(store, "key", "works again");
    }
  }

  @Test
  void commitsAreRefusedWhileTheDiskIsLowAndGoOnAfterwards() {
    try (EmbeddedStore store = open()) {
      put(store, "key", "kept");
      usableBytes.set(EmbeddedOptions.DEFAULT.minFreeBytes() - 1);
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(failureOf(() -> put(store, "key", "refused"))).isEqualTo(Code.DISK_LOW);
      assertThat(get(store, "key")).contains("kept");

      usableBytes.set(EmbeddedOptions.DEFAULT.minFreeBytes());
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      put(store, "key", "new");
      assertThat(get(store, "key")).contains("new");
    }
  }

  @Test
  void whatRemovesGoesOnWhileTheDiskIsLowUntilItIsNearlyFull() {
    KeyRange old = new KeyRange(bytes("old"), bytes("olf"));
    try (EmbeddedStore store = open()) {
      put(store, "old", "x");
      put(store, "single", "x");
      usableBytes.set(EmbeddedOptions.DEFAULT.minFreeBytes() / 2);
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      store.transact(tr -> clear(put(tr, "floor", "old"), old));
      store.transact(tr -> clear(tr, bytes("single")));
      assertThat(get(store, "old")).isEmpty();
      assertThat(get(store, "single")).isEmpty();
      assertThat(get(store, "floor")).contains("old");
      String much = "x".repeat(1024);
      assertThat(failureOf(() -> store.transact(tr -> clear(put(tr, "much", much), old))))
          .isEqualTo(Code.DISK_LOW);
      assertThat(failureOf(() -> store.transact(tr -> clear(put(tr, "a", "b"), bytes("single")))))
          .isEqualTo(Code.DISK_LOW);

      usableBytes.set(EmbeddedOptions.DEFAULT.minFreeBytes() / 2 - 1);
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(failureOf(() -> store.transact(tr -> clear(tr, old)))).isEqualTo(Code.DISK_LOW);
    }
  }

  @Test
  void aFailedWriteIsToldOnceWithItsCause() {
    try (EmbeddedStore store = open()) {
      assertThat(store.failure()).isNotDone();
      diskFails.set(true);
      assertThat(failureOf(() -> put(store, "key", "lost"))).isEqualTo(Code.STORE_FAILED);
      assertThat(store.failure().join())
          .hasMessageContaining("until it is opened again")
          .hasRootCauseMessage("made up by the test");
    }
  }

  @Test
  void aTransactionOfMoreThanFiveSecondsCanNeitherReadNorCommit() {
    try (EmbeddedStore store = open();
        Transaction reader = store.begin(TransactionOptions.DEFAULT);
        Transaction writer = store.begin(TransactionOptions.DEFAULT);
        Transaction blind = store.begin(TransactionOptions.DEFAULT)) {
      reader.get(bytes("key"));
      writer.get(bytes("key"));
      put(writer, "key", "x");
      put(blind, "blind", "x");
      clock.addAndGet(Duration.ofSeconds(5).toNanos() + 1);
      assertThat(failureOf(() -> reader.get(bytes("key")))).isEqualTo(Code.TRANSACTION_TOO_OLD);
      assertThat(failureOf(writer::commit)).isEqualTo(Code.TRANSACTION_TOO_OLD);
      blind.commit();
      assertThat(get(store, "key")).isEmpty();
    }
  }

  @Test
  void aTransactionThatReadBeforeWhatTheWindowHoldsIsTooOld() {
    EmbeddedOptions small = EmbeddedOptions.DEFAULT.withConflictWindowBytes(1_000);
    try (EmbeddedStore store = EmbeddedStore.open(directory, small, surroundings);
        Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      tr.get(bytes("key"));
      put(tr, "key", "mine");
      for (int i = 0; i < 50; i++) {
        put(store, "a key of some length " + i, "x");
      }
      assertThat(failureOf(tr::commit)).isEqualTo(Code.TRANSACTION_TOO_OLD);
    }
  }

  @Test
  void aCommitThatTimesOutWhileItIsQueuedIsNotAppliedLater() {
    try (EmbeddedStore store = open()) {
      diskStalls.set(true);
      CompletableFuture<Void> blocker = CompletableFuture.runAsync(() -> put(store, "x", "y"));
      await().until(() -> syncs.get() == 1);
      TransactionOptions brief = new TransactionOptions(Duration.ofMillis(20), 1);
      assertThat(failureOf(() -> store.transact(brief, tr -> put(tr, "key", "late"))))
          .isEqualTo(Code.TIMED_OUT);
      letDiskGoOn();
      blocker.join();
      put(store, "z", "after");
      assertThat(get(store, "key")).isEmpty();
    }
  }

  @Test
  void aFullQueueMakesCommitsWaitForRoom() {
    EmbeddedOptions one = new EmbeddedOptions(1 << 20, 1 << 20, 1, 1 << 20, 1 << 20, 10, 0, false);
    try (EmbeddedStore store = EmbeddedStore.open(directory, one, surroundings)) {
      diskStalls.set(true);
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String key = "key" + i;
        commits.add(
            CompletableFuture.runAsync(() -> put(store, key, "x"), run -> new Thread(run).start()));
      }
      await().until(() -> syncs.get() == 1);
      letDiskGoOn();
      commits.forEach(CompletableFuture::join);
      assertThat(get(store, "key2")).contains("x");
    }
  }

  @Test
  void anInterruptedThreadStillLearnsTheOutcomeOfItsCommit() {
    try (EmbeddedStore store = open()) {
      Thread.currentThread().interrupt();
      put(store, "key", "written");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(get(store, "key")).contains("written");
    }
  }

  private EmbeddedStore open() {
    return EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT, surroundings);
  }

  private static boolean clear(Transaction tr, KeyRange range) {
    tr.clear(range);
    return true;
  }

  private static boolean clear(Transaction tr, byte[] key) {
    tr.clear(key);
    return true;
  }

  private void letDiskGoOn() {
    diskStalls.set(false);
    stalled.release();
  }

  private void beforeSync() throws RocksDBException {
    syncs.incrementAndGet();
    if (diskFails.get()) {
      throw new RocksDBException("made up by the test");
    }
    if (diskStalls.get()) {
      stalled.acquireUninterruptibly();
    }
  }
}
