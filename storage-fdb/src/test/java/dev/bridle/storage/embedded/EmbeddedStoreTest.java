package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;
import static dev.bridle.storage.embedded.TestStore.failureOf;
import static dev.bridle.storage.embedded.TestStore.get;
import static dev.bridle.storage.embedded.TestStore.put;
import static dev.bridle.storage.embedded.TestStore.refusalOf;
import static dev.bridle.storage.embedded.TestStore.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

class EmbeddedStoreTest {
  @TempDir Path directory;

  @Test
  void versionsGoOnGrowingAfterAReopen() {
    long before;
    try (EmbeddedStore store = open()) {
      put(store, "key", "a");
      before = version(store);
    }
    try (EmbeddedStore store = open()) {
      assertThat(get(store, "key")).contains("a");
      assertThat(version(store)).isGreaterThanOrEqualTo(before);
      put(store, "key", "b");
      assertThat(version(store)).isGreaterThan(before);
    }
  }

  @Test
  void aKeyThatWasReadIsGoneWithItsRangeHoweverLarge() {
    try (EmbeddedStore store = open()) {
      for (int keys : new int[] {3, 1_000}) {
        store.transact(
            tr -> {
              for (int key = 0; key < keys; key++) {
                put(tr, "key " + key, "a");
              }
              return true;
            });
        assertThat(get(store, "key 2")).contains("a");

        store.transact(
            tr -> {
              tr.clear(new KeyRange(bytes("key "), bytes("key!")));
              return true;
            });

        assertThat(get(store, "key 2")).isEmpty();
      }
    }
  }

  @Test
  void anOpenTransactionFailsCleanlyOnceTheStoreIsClosed() {
    EmbeddedStore store = open();
    Transaction open = store.begin(TransactionOptions.DEFAULT);
    assertThat(open.get(bytes("key"))).isEmpty();
    CompletableFuture<Void> watch = store.transact(tr -> tr.watch(bytes("key")));

    store.close();

    assertThat(watch).isCompletedExceptionally();
    assertThat(failureOf(() -> open.get(bytes("key")))).isEqualTo(Code.STORE_CLOSED);
    put(open, "key", "x");
    assertThat(failureOf(open::commit)).isEqualTo(Code.STORE_CLOSED);
    open.close();
    assertThat(failureOf(() -> store.begin(TransactionOptions.DEFAULT)))
        .isEqualTo(Code.STORE_CLOSED);
    store.close();
  }

  @Test
  void keysOfTheEngineItselfCanBeNeitherReadNorWritten() {
    byte[] reserved = {EngineRecords.RESERVED, 1};
    try (EmbeddedStore store = open();
        Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      assertThat(failureOf(() -> tr.get(reserved))).isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.set(reserved, reserved))).isEqualTo(Code.INVALID_OPERATION);
      assertThat(failureOf(() -> tr.clear(new KeyRange(new byte[0], reserved))))
          .isEqualTo(Code.INVALID_OPERATION);
      assertThat(tr.getRange(new KeyRange(new byte[0], new byte[] {EngineRecords.RESERVED}), 10))
          .isEmpty();
    }
  }

  @Test
  void aSecondOpenIsRefusedWithTheDirectoryAndWhatToDo() {
    try (EmbeddedStore store = open()) {
      OpenRefusedException refusal = refusalOf(this::open);
      assertThat(refusal.reason()).isEqualTo(Reason.IN_USE);
      assertThat(refusal).hasMessageContaining(directory.toString()).hasMessageContaining("stop");
      put(store, "key", "still works");
    }
    open().close();
  }

  @Test
  void aDirectoryOfAnUnknownFormatIsRefused() throws Exception {
    open().close();
    try (DatabaseConfig config = new DatabaseConfig(EmbeddedOptions.DEFAULT);
        RocksDB rocks = RocksDB.open(config.options(), directory.resolve("rocksdb").toString())) {
      rocks.put(
          new byte[] {EngineRecords.RESERVED, 'f', 'o', 'r', 'm', 'a', 't'},
          new byte[] {0, 0, 0, 9});
    }
    OpenRefusedException refusal = refusalOf(this::open);
    assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_FORMAT);
    assertThat(refusal).hasMessageContaining("format 9").hasMessageContaining("format 1");
  }

  @Test
  void aDirectoryThatIsAFileIsRefused() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    OpenRefusedException refusal =
        refusalOf(() -> EmbeddedStore.open(file, EmbeddedOptions.DEFAULT));
    assertThat(refusal.reason()).isEqualTo(Reason.UNREADABLE);
    assertThat(refusal).hasMessageContaining(file.toString());
  }

  @Test
  void watchesBeyondTheLimitFailAndCancelledOnesMakeRoom() {
    try (EmbeddedStore store =
        EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT.withMaxWatches(2))) {
      CompletableFuture<Void> first = store.transact(tr -> tr.watch(bytes("a")));
      CompletableFuture<Void> second = store.transact(tr -> tr.watch(bytes("b")));
      CompletableFuture<Void> third = store.transact(tr -> tr.watch(bytes("c")));
      assertThat(third).isCompletedExceptionally();
      assertThat(third.handle((done, failure) -> failure).join())
          .hasFieldOrPropertyWithValue("code", Code.WATCH_LIMIT);

      second.cancel(false);
      CompletableFuture<Void> fourth = store.transact(tr -> tr.watch(bytes("d")));

      assertThat(first).isNotDone();
      assertThat(fourth).isNotDone();
    }
  }

  private EmbeddedStore open() {
    return EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
  }
}
