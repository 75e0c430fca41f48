package dev.bridle.core.work.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.command.StoredAnswers;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTurnsTest {
  private static final String TENANT = "acme";
  private static final String SESSION = "session";

  @TempDir private Path directory;
  private KeyValueStore store;
  private Commands commands;
  private final SessionTurns turns = new SessionTurns();

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
    KeyLayout layout = KeyLayout.root();
    Clock clock = Clock.systemUTC();
    commands =
        new Commands(
            store,
            EventLog.open(store, layout),
            new IdempotencyStore(layout),
            new IdMint(clock, new SecureRandom()),
            clock,
            new RequestHash(new byte[32]),
            StoredAnswers.UNCHANGED);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aFirstAttemptDoesNotWaitWhileNobodyHasATurn() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();

    take("one", attempts);

    assertThat(attempts).containsExactly(1);
  }

  @Test
  void whoeverComesWhileSomebodyHasTheTurnWaitsAndBeginsAnew() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread holder = new Thread(() -> hold(held, release), "holder");
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    Thread newcomer = new Thread(() -> take("newcomer", attempts), "newcomer");
    holder.start();
    assertThat(held.await(30, TimeUnit.SECONDS)).isTrue();

    newcomer.start();
    await().until(() -> newcomer.getState() == Thread.State.TIMED_WAITING);
    assertThat(attempts).isEmpty();
    release.countDown();
    newcomer.join();
    holder.join();

    assertThat(attempts).containsExactly(2);
  }

  /** Gets the turn by a conflict, and keeps it until it is released. */
  private void hold(CountDownLatch held, CountDownLatch release) {
    commands.once(
        TENANT,
        "holder",
        write -> {
          turns.take(write, SESSION);
          if (write.attempt() == 1) {
            throw new StoreException(Code.CONFLICT, "as if somebody else had ended a task");
          }
          held.countDown();
          try {
            return release.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void take(String actor, List<Integer> attempts) {
    commands.once(
        TENANT,
        actor,
        write -> {
          turns.take(write, SESSION);
          return attempts.add(write.attempt());
        });
  }
}
