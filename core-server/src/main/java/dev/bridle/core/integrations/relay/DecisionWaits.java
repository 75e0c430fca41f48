package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.WakeKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of this process that wait for decisions. None holds a thread: all that share a wake slot
 * share one watch of the store, and are looked at together once it fires. A slow poll stands behind
 * the watches, which may be missed. Thread-safe.
 */
final class DecisionWaits {
  private static final Logger log = LoggerFactory.getLogger(DecisionWaits.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final int READS_AT_ONCE = 100;

  private final KeyValueStore store;
  private final WakeKeys wakes;
  private final LongSupplier nanoTime;
  private final Executor executor;
  private final Lookup lookup;
  private final int most;
  private final CoalescingTask rounds;

  private final Map<Integer, Set<Wait>> bySlot = new HashMap<>();
  private final Map<Integer, CompletableFuture<Void>> watches = new HashMap<>();
  private final Set<Integer> toLookAt = new TreeSet<>();
  private int count;
  private long lastPoll;

  /** Finds what a call that waits is answered; empty while it goes on waiting. */
  interface Lookup {
    Optional<ByteString> answer(ReadTransaction tr, String tenant, String requestId);
  }

  DecisionWaits(CoreContext context, RelayLimits limits, Lookup lookup) {
    this.store = context.store();
    this.wakes = new WakeKeys(context.layout());
    this.nanoTime = context.environment().nanoTime();
    this.executor = context.environment().background();
    this.lookup = lookup;
    this.most = limits.waits();
    this.lastPoll = nanoTime.getAsLong();
    this.rounds =
        new CoalescingTask(
            executor,
            this::lookAtOne,
            failure ->
                FailureLog.warn(log, "Looking for decisions failed; it is tried again.", failure));
  }

  /** A call that waits. Compared by identity. */
  static final class Wait {
    private final String tenant;
    private final String requestId;
    private final int slot;
    private final long deadline;
    private final Consumer<ByteString> answer;

    private Wait(
        String tenant, String requestId, int slot, long deadline, Consumer<ByteString> answer) {
      this.tenant = tenant;
      this.requestId = requestId;
      this.slot = slot;
      this.deadline = deadline;
      this.answer = answer;
    }
  }

  void start(ScheduledExecutorService timer) {
    var unused =
        timer.scheduleWithFixedDelay(
            this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Answers once there is a decision, or an end without one, or the time is over.
   *
   * @param owner the key of the enforcer, whose mailbox changes then
   * @param answer takes the answer, once; empty bytes: there is no decision
   */
  Wait add(
      String tenant, String owner, String requestId, Duration time, Consumer<ByteString> answer) {
    Wait wait =
        new Wait(
            tenant,
            requestId,
            wakes.ofMailbox(tenant, owner),
            nanoTime.getAsLong() + time.toNanos(),
            answer);
    synchronized (this) {
      if (count >= most) {
        throw RelayErrors.tooManyWaits(most);
      }
      count++;
      bySlot.computeIfAbsent(wait.slot, slot -> new LinkedHashSet<>()).add(wait);
    }
    lookAt(wait.slot);
    return wait;
  }

  /** Forgets a call, and returns whether it was still waiting. */
  synchronized boolean remove(Wait wait) {
    Set<Wait> waits = bySlot.getOrDefault(wait.slot, Set.of());
    if (!waits.contains(wait)) {
      return false;
    }
    waits.remove(wait);
    count--;
    if (waits.isEmpty()) {
      bySlot.remove(wait.slot);
      Optional.ofNullable(watches.remove(wait.slot)).ifPresent(watch -> watch.cancel(false));
    }
    return true;
  }

  private void answer(Wait wait, ByteString envelope) {
    if (remove(wait)) {
      wait.answer.accept(envelope);
    }
  }

  private void tick() {
    List<Wait> over = new ArrayList<>();
    Set<Integer> slots = Set.of();
    long now = nanoTime.getAsLong();
    synchronized (this) {
      bySlot.values().stream()
          .flatMap(Set::stream)
          .filter(wait -> wait.deadline - now <= 0)
          .forEach(over::add);
      if (now - lastPoll >= POLL.toNanos()) {
        lastPoll = now;
        slots = Set.copyOf(bySlot.keySet());
      }
    }
    slots.forEach(this::lookAt);
    if (!over.isEmpty()) {
      executor.execute(() -> over.forEach(wait -> answer(wait, ByteString.EMPTY)));
    }
  }

  private void lookAt(int slot) {
    synchronized (this) {
      toLookAt.add(slot);
    }
    rounds.schedule();
  }

  private boolean lookAtOne() {
    int slot;
    List<Wait> waits;
    synchronized (this) {
      Optional<Integer> next = toLookAt.stream().findFirst();
      if (next.isEmpty()) {
        return false;
      }
      slot = next.get();
      toLookAt.remove(slot);
      waits = List.copyOf(bySlot.getOrDefault(slot, Set.of()));
    }
    if (!waits.isEmpty()) {
      watch(slot);
      for (int from = 0; from < waits.size(); from += READS_AT_ONCE) {
        look(waits.subList(from, Math.min(from + READS_AT_ONCE, waits.size())));
      }
    }
    return true;
  }

  /** Watches a slot from now on, so that no change after the reads that follow is missed. */
  private void watch(int slot) {
    CompletableFuture<Void> watch = store.transact(tr -> wakes.watch(tr, slot));
    synchronized (this) {
      Optional.ofNullable(watches.put(slot, watch)).ifPresent(before -> before.cancel(false));
      if (!bySlot.containsKey(slot)) {
        watches.remove(slot);
        watch.cancel(false);
      }
    }
    var unused = watch.thenRun(() -> lookAt(slot));
  }

  private void look(List<Wait> waits) {
    Map<Wait, ByteString> answers =
        store.read(
            tr -> {
              Map<Wait, ByteString> found = new HashMap<>();
              for (Wait wait : waits) {
                lookup
                    .answer(tr, wait.tenant, wait.requestId)
                    .ifPresent(answer -> found.put(wait, answer));
              }
              return found;
            });
    answers.forEach(this::answer);
  }

  /** Answers all calls that still wait, since the server stops. */
  void close() {
    List<Wait> all;
    synchronized (this) {
      all = bySlot.values().stream().flatMap(Set::stream).toList();
    }
    all.forEach(wait -> answer(wait, ByteString.EMPTY));
  }
}
