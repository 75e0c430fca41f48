package dev.bridle.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir Path directory;

  @Test
  void versionsGoOnGrowingAfterAReopen() {
    long before;
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      store.transact(tr -> set(tr, "a"));
      before = version(store);
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      Optional<byte[]> stored = store.read(tr -> tr.get(KEY));
      assertThat(stored).hasValue("a".getBytes(UTF_8));
      assertThat(version(store)).isGreaterThanOrEqualTo(before);
      store.transact(tr -> set(tr, "b"));
      assertThat(version(store)).isGreaterThan(before);
    }
  }

  @Test
  void anOpenTransactionFailsCleanlyOnceTheStoreIsClosed() {
    EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
    Transaction open = store.begin(TransactionOptions.DEFAULT);
    assertThat(open.get(KEY)).isEmpty();
    CompletableFuture<Void> watch = store.transact(tr -> tr.watch(KEY));

    store.close();

    assertThat(watch).isCompletedExceptionally();
    assertThatThrownBy(() -> open.get(KEY)).satisfies(e -> hasCode(e, Code.STORE_CLOSED));
    open.set(KEY, KEY);
    assertThatThrownBy(open::commit).satisfies(e -> hasCode(e, Code.STORE_CLOSED));
    open.close();
    assertThatThrownBy(() -> store.begin(TransactionOptions.DEFAULT))
        .satisfies(e -> hasCode(e, Code.STORE_CLOSED));
    store.close();
  }

  @Test
  void keysOfTheEngineItselfCanBeNeitherReadNorWritten() {
    byte[] reserved = {(byte) 0xFF, 1};
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      assertThatThrownBy(() -> store.transact(tr -> tr.get(reserved)))
          .satisfies(e -> hasCode(e, Code.INVALID_OPERATION));
    }
  }

  private static long version(EmbeddedStore store) {
    return store.read(tr -> tr.readVersion());
  }

  private static Object set(Transaction transaction, String value) {
    transaction.set(KEY, value.getBytes(UTF_8));
    return value;
  }

  private static void hasCode(Throwable thrown, Code code) {
    assertThat(thrown).isInstanceOf(StoreException.class);
    assertThat(((StoreException) thrown).code()).isEqualTo(code);
  }
}
