package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.TransactionOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The retry loop runs work until it commits, and knows when to stop. */
public abstract class RetryContract extends StoreSuite {

  protected RetryContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void aConflictRunsTheWorkAgain() {
    AtomicInteger runs = new AtomicInteger();
    String result =
        store()
            .transact(
                tr -> {
                  String seen = get(tr, "a").orElse("nothing");
                  if (runs.incrementAndGet() == 1) {
                    stored("a", "theirs");
                  }
                  put(tr, "b", seen);
                  return seen;
                });
    assertThat(runs).hasValue(2);
    assertThat(result).isEqualTo("theirs");
    assertThat(now("b")).contains("theirs");
  }

  @Test
  void aRetriableFailureThrownByTheWorkRunsItAgain() {
    AtomicInteger runs = new AtomicInteger();
    store()
        .transact(
            tr -> {
              if (runs.incrementAndGet() < 3) {
                throw new StoreException(Code.COMMIT_UNKNOWN, "Made up by the test.");
              }
              put(tr, "a", "1");
              return null;
            });
    assertThat(runs).hasValue(3);
    assertThat(now("a")).contains("1");
  }

  @Test
  void aFailureThatNoRetryCanMendIsThrownAtOnce() {
    AtomicInteger runs = new AtomicInteger();
    Code code =
        failureOf(
            () ->
                store()
                    .transact(
                        tr -> {
                          runs.incrementAndGet();
                          tr.set(new byte[20_000], bytes("x"));
                          return null;
                        }));
    assertThat(code).isEqualTo(Code.KEY_TOO_LARGE);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aFailureAfterAnAttemptThatMayHaveBeenAppliedLeavesTheOutcomeOpen() {
    AtomicInteger runs = new AtomicInteger();
    TransactionOptions two = new TransactionOptions(Duration.ofSeconds(30), 2);
    Code code =
        failureOf(
            () ->
                store()
                    .transact(
                        two,
                        tr -> {
                          if (runs.incrementAndGet() == 1) {
                            stored("a", "applied");
                            throw new StoreException(Code.COMMIT_UNKNOWN, "Made up by the test.");
                          }
                          throw new StoreException(Code.CONFLICT, "Made up by the test.");
                        }));
    assertThat(code).isEqualTo(Code.COMMIT_UNKNOWN);
    assertThat(runs).hasValue(2);
    assertThat(now("a")).contains("applied");
  }

  @Test
  void theNumberOfAttemptsIsBounded() {
    AtomicInteger runs = new AtomicInteger();
    TransactionOptions three = new TransactionOptions(Duration.ofSeconds(30), 3);
    Code code = failureOf(() -> store().transact(three, tr -> fail(runs)));
    assertThat(code).isEqualTo(Code.CONFLICT);
    assertThat(runs).hasValue(3);
  }

  @Test
  void theTimeOfAllAttemptsIsBounded() {
    AtomicInteger runs = new AtomicInteger();
    TransactionOptions brief = new TransactionOptions(Duration.ofMillis(50), 1_000_000);
    Code code = failureOf(() -> store().transact(brief, tr -> fail(runs)));
    assertThat(code).isEqualTo(Code.TIMED_OUT);
    assertThat(runs.get()).isPositive();
  }

  @Test
  void anInterruptEndsTheRetriesAndStaysSet() {
    AtomicInteger runs = new AtomicInteger();
    Thread.currentThread().interrupt();
    try {
      assertThat(failureOf(() -> store().transact(tr -> fail(runs)))).isEqualTo(Code.CANCELLED);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    stored("a", "1");
    assertThat(now("a")).contains("1");
  }

  private static Object fail(AtomicInteger runs) {
    runs.incrementAndGet();
    throw new StoreException(Code.CONFLICT, "Made up by the test.");
  }
}
