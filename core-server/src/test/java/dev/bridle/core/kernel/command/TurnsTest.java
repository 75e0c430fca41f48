package dev.bridle.core.kernel.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import io.grpc.Context;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {
  private static final String TENANT = "acme";
  private static final String ROW = "row";
  private static final Context.Key<String> CALLER = Context.key("caller");

  @TempDir private Path directory;
  private KeyValueStore store;
  private Commands commands;
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  /** One attempt of a command: its number, and the transaction that it ran in. */
  private record Attempt(String caller, int number, Transaction tr) {}

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
    callers.shutdownNow();
    store.close();
  }

  @Test
  void aFirstAttemptDoesNotWaitWhileNobodyHasATurn() {
    assertThat(inTurn(ROW).number()).isEqualTo(1);
  }

  @Test
  void anotherRowHasAnotherTurn() {
    CompletableFuture<Attempt> holder = hold(ROW);

    assertThat(inTurn("another row").number()).isEqualTo(1);

    release.countDown();
    holder.join();
  }

  @Test
  void whoeverComesWhileSomebodyHasTheTurnWaitsAndBeginsAnew() {
    CompletableFuture<Attempt> holder = hold(ROW);
    CompletableFuture<Attempt> newcomer = call("newcomer", () -> inTurn(ROW));
    awaitWaiting(1);
    assertThat(newcomer).isNotDone();

    release.countDown();

    holder.join();
    assertThat(newcomer.join().number()).isEqualTo(2);
  }

  @Test
  void thoseThatWaitForATurnGoTogetherInOneTransactionEachForItsCaller() {
    CompletableFuture<Attempt> holder = hold(ROW);
    List<CompletableFuture<Attempt>> others = new ArrayList<>();
    for (int i = 0; i < Turns.MAX_TOGETHER + 1; i++) {
      others.add(call("caller " + i, () -> inTurn(ROW)));
      awaitWaiting(i + 1);
    }

    release.countDown();

    holder.join();
    List<Attempt> attempts = others.stream().map(CompletableFuture::join).toList();
    List<Attempt> together = attempts.subList(0, Turns.MAX_TOGETHER);
    assertThat(together).extracting(Attempt::tr).containsOnly(together.get(0).tr());
    assertThat(attempts.get(Turns.MAX_TOGETHER).tr()).isNotSameAs(together.get(0).tr());
    for (int i = 0; i < attempts.size(); i++) {
      assertThat(attempts.get(i).caller()).isEqualTo("caller " + i);
      assertThat(attempts.get(i).number()).isEqualTo(2);
    }
    assertThat(inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
  }

  @Test
  void oneThatFailsAmongOthersFailsByItselfAndTheOthersAreApplied() {
    CompletableFuture<Attempt> holder = hold(ROW);
    CompletableFuture<Attempt> first = call("first", () -> added("first"));
    awaitWaiting(1);
    CompletableFuture<Attempt> bad =
        call(
            "bad",
            () ->
                fenced(
                    write -> {
                      write.takeTurn(ROW);
                      write.tr().set(key("bad"), new byte[0]);
                      throw new IllegalStateException("the bad one");
                    }));
    awaitWaiting(2);
    CompletableFuture<Attempt> last = call("last", () -> added("last"));
    awaitWaiting(3);

    release.countDown();

    holder.join();
    Attempt ofFirst = first.join();
    Attempt ofLast = last.join();
    assertThatThrownBy(bad::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("the bad one");
    assertThat(ofFirst.tr()).isNotSameAs(ofLast.tr());
    assertThat(List.of(count("first"), count("last"), count("bad"))).containsExactly(1L, 1L, 0L);
    assertThat(inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
  }

  @Test
  void aCommandWithAnIdThatWaitsRunsInATransactionOfItsOwn() {
    CompletableFuture<Attempt> holder = hold(ROW);
    List<CompletableFuture<Attempt>> others = new ArrayList<>();
    others.add(call("fenced", () -> inTurn(ROW)));
    awaitWaiting(1);
    others.add(call("once", () -> commands.once(TENANT, "once", this::takeTurn)));
    awaitWaiting(2);
    others.add(call("fenced, too", () -> inTurn(ROW)));
    awaitWaiting(3);

    release.countDown();

    holder.join();
    assertThat(others.stream().map(other -> other.join().tr())).doesNotHaveDuplicates();
  }

  @Test
  void whoeverHasATurnDoesNotWaitForAnother() {
    CompletableFuture<Attempt> holder = hold(ROW);

    Attempt both =
        fenced(
            write -> {
              write.takeTurn("another row");
              if (write.attempt() == 1) {
                throw new StoreException(Code.CONFLICT, "as if somebody else had changed the row");
              }
              return takeTurn(write);
            });

    assertThat(both.number()).isEqualTo(2);
    release.countDown();
    holder.join();
  }

  @Test
  void commandsThatManyCallersMakeAtOnceAreEachAppliedOnce() {
    List<CompletableFuture<Attempt>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(call("caller", this::incremented));
    }
    all.forEach(CompletableFuture::join);

    assertThat(count("number")).isEqualTo(200);
    assertThat(inTurn(ROW).number()).as("the turn is free again").isEqualTo(1);
  }

  /** Reads and writes one key, as the next receipt of a chain does. */
  private Attempt incremented() {
    return fenced(
        write -> {
          Attempt attempt = takeTurn(write);
          long before = write.tr().get(key("number")).map(TurnsTest::number).orElse(0L);
          write.tr().set(key("number"), bytes(before + 1));
          return attempt;
        });
  }

  private Attempt added(String what) {
    return fenced(
        write -> {
          write.tr().add(key(what), 1);
          return takeTurn(write);
        });
  }

  private Attempt inTurn(String row) {
    return fenced(write -> takeTurn(write, row));
  }

  private Attempt fenced(Function<Write, Attempt> work) {
    return commands.fenced(FencedWrite.END_ATTEMPT, TENANT, "actor", work);
  }

  private Attempt takeTurn(Write write) {
    return takeTurn(write, ROW);
  }

  private Attempt takeTurn(Write write, String row) {
    write.takeTurn(row);
    return new Attempt(CALLER.get(), write.attempt(), write.tr());
  }

  /** Gets the turn by a conflict, and keeps it until it is released. */
  private CompletableFuture<Attempt> hold(String row) {
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<Attempt> holder =
        call(
            "holder",
            () ->
                fenced(
                    write -> {
                      Attempt attempt = takeTurn(write, row);
                      if (write.attempt() == 1) {
                        throw new StoreException(Code.CONFLICT, "as if another had changed it");
                      }
                      held.countDown();
                      awaitRelease();
                      return attempt;
                    }));
    await().until(() -> held.getCount() == 0 || holder.isDone());
    return holder;
  }

  private void awaitRelease() {
    try {
      assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<Attempt> call(String caller, Callable<Attempt> command) {
    CompletableFuture<Attempt> result = new CompletableFuture<>();
    callers.execute(
        () -> {
          threads.add(Thread.currentThread());
          try {
            result.complete(Context.current().withValue(CALLER, caller).call(command));
          } catch (Exception e) {
            result.completeExceptionally(e);
          } finally {
            threads.remove(Thread.currentThread());
          }
        });
    return result;
  }

  /** Waits until so many callers wait for a turn; the one that has it waits with a deadline. */
  private void awaitWaiting(int count) {
    await()
        .until(
            () ->
                threads.stream().filter(t -> t.getState() == Thread.State.WAITING).count()
                    == count);
  }

  private long count(String name) {
    return store.read(tr -> tr.get(key(name))).map(TurnsTest::number).orElse(0L);
  }

  private static byte[] key(String name) {
    return ("turns test " + name).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a number as the store's additions write it. */
  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static long number(byte[] stored) {
    return ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
