package dev.bridle.storage.fdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of the client's answers. What a cluster does, the contract kit tests. */
class FdbStoreTest {
  private static final byte[] KEY = {1};

  private final FakeClient client = new FakeClient();
  private final AtomicInteger closings = new AtomicInteger();
  private final FdbStore store =
      new FdbStore(
          client.database(),
          FdbOptions.of(Path.of("none")).withPrefix(new byte[] {9}),
          closings::incrementAndGet);

  @ParameterizedTest
  @ValueSource(ints = {1020, 1021, 1039, 1007, 1213})
  void whatMayBeTriedAgainGoesThroughOnErrorAndLeavesNoTransactionOpen(int error) {
    client.commitErrors.add(error);
    client.commitErrors.add(error);

    int runs = store.transact(this::countRuns);

    assertThat(runs).isEqualTo(3);
    assertThat(client.toldToOnError).containsExactly(error, error);
    assertThat(client.opened()).isEqualTo(3);
    assertThat(client.allClosed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1031, 1025, 1101, 2101})
  void whatMayStillLandLaterIsNotTriedAgain(int error) {
    client.commitErrors.add(error);

    assertThatThrownBy(() -> store.transact(this::countRuns)).isInstanceOf(StoreException.class);

    assertThat(runs).hasValue(1);
    assertThat(client.toldToOnError).isEmpty();
    assertThat(client.allClosed()).isTrue();
  }

  @Test
  void aRefusalOfOnErrorEndsTheAttempts() {
    client.commitErrors.add(1020);
    client.refuseNextAttempts(1031);

    assertThatThrownBy(() -> store.transact(this::countRuns))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMED_OUT));

    assertThat(client.allClosed()).isTrue();
  }

  @Test
  void workThatThrowsLeavesNoTransactionOpen() {
    assertThatThrownBy(
            () ->
                store.transact(
                    tr -> {
                      throw new IllegalStateException("from the work");
                    }))
        .hasMessage("from the work");
    assertThat(client.allClosed()).isTrue();
  }

  @Test
  void theFailureOfAnAwaitedReadIsTriedAgainLikeAnyOther() {
    store.transact(
        tr -> {
          if (runs.incrementAndGet() == 1) {
            throw new CompletionException(new StoreException(Code.PROCESS_BEHIND, "Made up."));
          }
          return true;
        });
    assertThat(runs).hasValue(2);
  }

  @Test
  void everyTransactionHasATimeoutAndARetryLimit() {
    store.begin(new TransactionOptions(Duration.ofSeconds(2), 7)).close();
    store.begin(new TransactionOptions(Duration.ZERO, 1)).close();
    store.begin(new TransactionOptions(Duration.ofDays(4000), 1)).close();

    assertThat(client.calls)
        .containsExactly(
            "option " + FakeClient.TIMEOUT + "=2001",
            "option " + FakeClient.RETRY_LIMIT + "=6",
            "option " + FakeClient.TIMEOUT + "=1",
            "option " + FakeClient.RETRY_LIMIT + "=0",
            "option " + FakeClient.TIMEOUT + "=" + Integer.MAX_VALUE,
            "option " + FakeClient.RETRY_LIMIT + "=0");
  }

  @Test
  void aClosedStoreTakesNothing() {
    Transaction open = store.begin(TransactionOptions.DEFAULT);
    store.close();
    store.close();
    assertThat(closings).hasValue(1);
    assertThatThrownBy(() -> store.begin(TransactionOptions.DEFAULT))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(Code.STORE_CLOSED));
    open.close();
  }

  private final AtomicInteger runs = new AtomicInteger();

  private int countRuns(Transaction tr) {
    tr.get(KEY);
    tr.set(KEY, KEY);
    return runs.incrementAndGet();
  }
}
