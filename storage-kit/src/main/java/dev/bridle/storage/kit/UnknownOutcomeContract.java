package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Some failures say "applied or not, unknown"; what a command does about it. */
public abstract class UnknownOutcomeContract extends StoreSuite {
  private static final String MARKER = "command";

  protected UnknownOutcomeContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void theseFailuresLeaveTheOutcomeOpenAndNoOthers() {
    assertThat(Arrays.stream(Code.values()).filter(code -> made(code).outcomeUnknown()))
        .containsExactlyInAnyOrder(
            Code.COMMIT_UNKNOWN,
            Code.CLUSTER_CHANGED,
            Code.TIMED_OUT,
            Code.CANCELLED,
            Code.OPERATION_CANCELLED,
            Code.STORE_FAILED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Code.class,
      names = {"TIMED_OUT", "CANCELLED", "OPERATION_CANCELLED"})
  void whatMayLandAfterItsRetryIsNotTriedAgain(Code code) {
    AtomicInteger runs = new AtomicInteger();
    Code reported =
        failureOf(
            () ->
                store()
                    .transact(
                        tr -> {
                          runs.incrementAndGet();
                          throw made(code);
                        }));
    assertThat(reported).isEqualTo(code);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aCommitWithoutTimeIsAppliedWholeOrNotAtAll() {
    for (int micros = 50; micros < 6_000; micros += micros / 5) {
      String value = "" + micros;
      Optional<Code> failure = Optional.empty();
      TransactionOptions brief = new TransactionOptions(Duration.ofNanos(micros * 1_000L), 1);
      try (Transaction tr = store().begin(brief)) {
        // Keys of its own, since a round may land after the next one.
        put(tr, "left" + value, value);
        put(tr, "right" + value, value);
        tr.commit();
      } catch (StoreException e) {
        failure = Optional.of(e.code());
      }
      Optional<String> left = store().read(tr -> same(tr, value));
      assertThat(failure).isIn(Optional.empty(), Optional.of(Code.TIMED_OUT));
      if (failure.isEmpty()) {
        assertThat(left).contains(value);
      }
    }
  }

  private Optional<String> same(ReadTransaction tr, String round) {
    Optional<String> left = get(tr, "left" + round);
    assertThat(get(tr, "right" + round)).isEqualTo(left);
    return left;
  }

  @Test
  void aCommandThatRecordsItsIdIsAppliedOnceThoughItsAnswerIsLost() {
    AtomicInteger runs = new AtomicInteger();
    store()
        .transact(
            tr -> {
              if (runs.incrementAndGet() == 1) {
                // The attempt is applied, and only its answer gets lost.
                store().transact(applied -> applyOnce(applied, applied));
                throw made(Code.COMMIT_UNKNOWN);
              }
              return applyOnce(tr, tr);
            });
    assertThat(runs).hasValue(2);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void anAttemptThatLandsAfterItsRetryIsStoppedByTheRecordThatItHasRead() {
    try (Transaction late = begin()) {
      applyOnce(late, late);
      store().transact(retry -> applyOnce(retry, retry));
      assertThat(failureOf(late::commit)).isEqualTo(Code.CONFLICT);
    }
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void aSnapshotReadOfTheRecordStopsNothing() {
    try (Transaction late = begin()) {
      applyOnce(late, late.snapshot());
      store().transact(retry -> applyOnce(retry, retry.snapshot()));
      late.commit();
    }
    assertThat(count()).isEqualTo(2);
  }

  /** Counts, unless the command's record says that it has been counted. */
  private boolean applyOnce(Transaction tr, ReadTransaction reader) {
    if (get(reader, MARKER).isPresent()) {
      return false;
    }
    put(tr, MARKER, "applied");
    tr.add(key("count"), 1);
    return true;
  }

  private long count() {
    return store().read(tr -> tr.get(key("count")).map(StoreSuite::number)).orElse(0L);
  }

  private static StoreException made(Code code) {
    return new StoreException(code, "Made up by the test.");
  }
}
