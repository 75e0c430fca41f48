package dev.bridle.core.kernel.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import io.grpc.Context;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.core.ConditionFactory;

/** Callers of commands that wait for one turn, of which the first holds it until it is released. */
final class WaitingCallers implements AutoCloseable {
  static final String TENANT = "acme";
  static final String ROW = "row";
  private static final Context.Key<String> CALLER = Context.key("caller");
  private static final String STREAM = "stream";

  private final KeyValueStore store;
  private final EventLog log;
  private final Commands commands;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Thread> calling = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Map<String, Set<String>> ids = new ConcurrentHashMap<>();

  /** One attempt of a command: who made it, its number, and the transaction that it ran in. */
  record Attempt(String caller, int number, Transaction tr) {}

  /** Has callers of commands that wait for a turn as long as it takes. */
  WaitingCallers(KeyValueStore store) {
    this(store, Duration.ofMinutes(2));
  }

  WaitingCallers(KeyValueStore store, Duration patience) {
    this.store = store;
    KeyLayout layout = KeyLayout.root();
    Clock clock = Clock.systemUTC();
    this.log = EventLog.open(store, layout);
    this.commands =
        new Commands(
                store,
                log,
                new IdempotencyStore(layout),
                new IdMint(clock, new SecureRandom()),
                clock,
                new RequestHash(new byte[32]),
                StoredAnswers.UNCHANGED)
            .withPatience(patience);
  }

  Commands commands() {
    return commands;
  }

  /** Calls a command on a thread of its own. */
  CompletableFuture<Attempt> call(String caller, Callable<Attempt> command) {
    CompletableFuture<Attempt> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          calling.add(Thread.currentThread());
          try {
            result.complete(Context.current().withValue(CALLER, caller).call(command));
          } catch (Throwable e) {
            result.completeExceptionally(e);
          } finally {
            calling.remove(Thread.currentThread());
          }
        });
    return result;
  }

  /** Calls a command that gets the turn by a conflict, and keeps it until {@link #release}. */
  CompletableFuture<Attempt> hold() {
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<Attempt> holder =
        call(
            "holder",
            () ->
                fenced(
                    write -> {
                      Attempt attempt = takeTurn(write, ROW);
                      if (write.attempt() == 1) {
                        throw new StoreException(Code.CONFLICT, "as if another had changed it");
                      }
                      held.countDown();
                      awaitRelease();
                      return attempt;
                    }));
    soon().until(() -> held.getCount() == 0 || holder.isDone());
    return holder;
  }

  private void awaitRelease() {
    try {
      assertThat(release.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void release() {
    release.countDown();
  }

  /** Calls a command that waits for the turn. */
  CompletableFuture<Attempt> waiting(String caller, Callable<Attempt> command) {
    int before = calling.size();
    CompletableFuture<Attempt> result = call(caller, command);
    soon().until(() -> calling.size() > before || result.isDone());
    soon()
        .until(
            () ->
                calling.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING)
                    || result.isDone());
    return result;
  }

  /** Looks often, since most of these tests is waiting. */
  private static ConditionFactory soon() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  Attempt fenced(Function<Write, Attempt> work) {
    return fenced(TENANT, 0, work);
  }

  Attempt fenced(String tenant, long bytes, Function<Write, Attempt> work) {
    return commands.fenced(FencedWrite.END_ATTEMPT, bytes, tenant, "actor", work);
  }

  static Attempt takeTurn(Write write, String row) {
    write.takeTurn(row);
    return new Attempt(CALLER.get(), write.attempt(), write.tr());
  }

  /** Runs a command that takes a turn, and nothing else. */
  Attempt inTurn(String row) {
    return fenced(write -> takeTurn(write, row));
  }

  /** Runs a command that counts once, as the end of a task does, and appends an event. */
  Attempt counted(String name) {
    return counted(name, 0);
  }

  Attempt counted(String name, long bytes) {
    return fenced(TENANT, bytes, write -> count(write, name));
  }

  Attempt count(Write write, String name) {
    Attempt attempt = takeTurn(write, ROW);
    ids.computeIfAbsent(name, unused -> ConcurrentHashMap.newKeySet())
        .add(write.id("thing") + ByteBuffer.wrap(write.salt(8)).getLong());
    if (write.tr().get(key("done " + name)).isEmpty()) {
      write.tr().set(key("done " + name), new byte[0]);
      write.tr().add(key(name), 1);
      write.appended(write.appender().append(STREAM, name.getBytes(StandardCharsets.UTF_8)));
    }
    return attempt;
  }

  /** Returns how often a command was applied. */
  long applied(String name) {
    return store.read(tr -> tr.get(key(name))).map(WaitingCallers::number).orElse(0L);
  }

  /** Returns the ids that the attempts of a command have used. */
  Set<String> ids(String name) {
    return ids.get(name);
  }

  /** Returns what the stream of events has, and checks the pointer to its end. */
  List<String> events(String tenant) {
    List<StoredEvent> events =
        store.read(tr -> log.readStream(tr, tenant, STREAM, Optional.empty(), 1000));
    Optional<EventId> last = store.read(tr -> log.lastEventId(tr, tenant, STREAM));
    assertThat(last)
        .isEqualTo(
            events.isEmpty() ? Optional.empty() : Optional.of(events.get(events.size() - 1).id()));
    return events.stream().map(one -> new String(one.body(), StandardCharsets.UTF_8)).toList();
  }

  static byte[] key(String name) {
    return ("turns test " + name).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a number as the store's additions write it. */
  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  static long number(byte[] stored) {
    return ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Override
  public void close() {
    release();
    threads.shutdownNow();
  }
}
