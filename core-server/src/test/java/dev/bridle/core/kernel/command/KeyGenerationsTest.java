package dev.bridle.core.kernel.command;

import static dev.bridle.storage.layer.IdempotencyStore.CLOCK_MARGIN_MILLIS;
import static dev.bridle.storage.layer.IdempotencyStore.GENERATION_MILLIS;
import static dev.bridle.storage.layer.IdempotencyStore.RETENTION_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import dev.bridle.core.kernel.auth.CallContext;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One idempotency key at several servers, whose clocks are in different generations. */
class KeyGenerationsTest {
  private static final Caller ADA = new Caller("acme", "ada", Set.of("*"), Set.of(), false);
  private static final long BOUNDARY = 20_000 * GENERATION_MILLIS;

  @TempDir Path directory;

  private KeyValueStore store;

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest(name = "first at {0} ms, then at {1} ms from the boundary")
  @CsvSource({"-1, 0", "0, -1", "-900000, 900000", "900000, -900000", "-1800000, 0", "0, -1800000"})
  void aKeyThatTwoServersUseAtOnceIsAppliedOnce(long first, long second) {
    AtomicInteger attempts = new AtomicInteger();

    send(
        serverAt(BOUNDARY + first),
        write -> {
          if (attempts.getAndIncrement() == 0) {
            send(serverAt(BOUNDARY + second), AppliedCount::addOne);
          }
          return AppliedCount.addOne(write);
        });

    assertThat(attempts).as("attempts of the first, which conflicts").hasValue(1);
    assertThat(AppliedCount.in(store)).isEqualTo(1);
    assertThat(records()).isEqualTo(1);
  }

  @ParameterizedTest(name = "at {0} ms from the boundary")
  @ValueSource(
      longs = {-1, 0, 1, CLOCK_MARGIN_MILLIS, GENERATION_MILLIS / 2, GENERATION_MILLIS - 1})
  void aKeyIsRememberedFor24HoursByEveryClockWithinTheMargin(long offset) {
    long at = BOUNDARY + offset;
    send(serverAt(at), AppliedCount::addOne);

    for (long later : new long[] {0, RETENTION_MILLIS / 2, RETENTION_MILLIS}) {
      for (long skew : new long[] {-CLOCK_MARGIN_MILLIS, 0, CLOCK_MARGIN_MILLIS}) {
        forgetAt(at + later + skew);
        send(serverAt(at + later - skew), AppliedCount::addOne);
        send(serverAt(at + later + skew), AppliedCount::addOne);
      }
    }

    assertThat(AppliedCount.in(store)).isEqualTo(1);
  }

  @ParameterizedTest(name = "at {0} ms from the boundary")
  @ValueSource(longs = {-1, 0, GENERATION_MILLIS / 2})
  void aKeyIsForgottenTwoGenerationsLaterWithAllOfItsRows(long offset) {
    long at = BOUNDARY + offset;
    send(serverAt(at), AppliedCount::addOne);
    long later = at + 2 * GENERATION_MILLIS;

    forgetAt(later);
    forgetAt(later);

    assertThat(rows()).isZero();
    send(serverAt(later), AppliedCount::addOne);
    assertThat(AppliedCount.in(store)).isEqualTo(2);
  }

  @Test
  void aRunningCommandIsNotDisturbedByTheDeletionOfOldOnes() {
    send(serverAt(BOUNDARY - 2 * GENERATION_MILLIS), AppliedCount::addOne);
    AtomicInteger attempts = new AtomicInteger();

    send(
        serverAt(BOUNDARY),
        write -> {
          attempts.incrementAndGet();
          forgetAt(BOUNDARY + CLOCK_MARGIN_MILLIS);
          return AppliedCount.addOne(write);
        });

    assertThat(attempts).hasValue(1);
    assertThat(AppliedCount.in(store)).isEqualTo(2);
    assertThat(records()).isEqualTo(1);
  }

  private Commands serverAt(long millis) {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
    KeyLayout layout = KeyLayout.root();
    return new Commands(
        store,
        EventLog.open(store, layout),
        new IdempotencyStore(layout),
        new IdMint(clock, new SecureRandom()),
        clock,
        new RequestHash(new byte[32]),
        StoredAnswers.UNCHANGED);
  }

  private static void send(Commands server, Function<Write, Empty> work) {
    try {
      Empty done =
          CallContext.within(
              ADA,
              "key",
              () ->
                  server.run(
                      Empty.getDefaultInstance(),
                      "",
                      write -> "default",
                      work,
                      Empty.getDefaultInstance()));
      assertThat(done).isEqualTo(Empty.getDefaultInstance());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void forgetAt(long millis) {
    store.transact(
        tr -> {
          new IdempotencyStore(KeyLayout.root()).forgetOld(tr, "acme", millis);
          return true;
        });
  }

  /** Returns how many commands are recorded, with a stamp and a record each. */
  private int records() {
    return rows() / 2;
  }

  private int rows() {
    return store
        .read(
            tr ->
                tr.getRange(
                    new Rows(KeyLayout.root()).below("acme", TenantSpace.KEYED_COMMAND), 100))
        .size();
  }
}
