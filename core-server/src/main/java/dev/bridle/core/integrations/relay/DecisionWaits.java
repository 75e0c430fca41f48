package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of this process that wait for decisions. None holds a thread: those that share a wake slot
 * are looked at together once something has changed. Thread-safe.
 */
final class DecisionWaits {
  private static final Logger log = LoggerFactory.getLogger(DecisionWaits.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int READS_AT_ONCE = 100;

  private final KeyValueStore store;
  private final MailboxWatch watch;
  private final LongSupplier nanoTime;
  private final Executor executor;
  private final Lookup lookup;
  private final int most;
  private final CoalescingTask rounds;

  private final Map<Integer, Slot> slots = new HashMap<>();
  private final Set<Integer> changed = new TreeSet<>();
  private int count;

  /** Finds what a call that waits is answered; empty while it goes on waiting. */
  interface Lookup {
    Optional<ByteString> answer(ReadTransaction tr, String tenant, String requestId);
  }

  DecisionWaits(CoreContext context, RelayLimits limits, MailboxWatch watch, Lookup lookup) {
    this.store = context.store();
    this.watch = watch;
    this.nanoTime = context.environment().nanoTime();
    this.executor = context.environment().background();
    this.lookup = lookup;
    this.most = limits.waits();
    this.rounds =
        new CoalescingTask(
            executor,
            this::lookAtOne,
            failure ->
                FailureLog.warn(log, "Looking for decisions failed; it is tried again.", failure));
  }

  /** The waiting calls of a wake slot, and its watch for changes. */
  private record Slot(Set<Wait> waits, MailboxWatch.Listener listener) {}

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
    Periodic.every(timer, TICK, "Ending waits for decisions", this::endOverdue);
  }

  /**
   * Answers once there is a decision, or an end without one, or the time is over.
   *
   * @param owner the key of the enforcer, whose mailbox changes then
   * @param answer receives the response, once; empty bytes if there is no decision
   */
  Wait add(
      String tenant, String owner, String requestId, Duration time, Consumer<ByteString> answer) {
    int at = watch.slotOf(tenant, owner);
    long deadline = nanoTime.getAsLong() + time.toNanos();
    Wait wait = new Wait(tenant, requestId, at, deadline, answer);
    synchronized (this) {
      if (count >= most) {
        throw RelayErrors.tooManyWaits(most);
      }
      count++;
      slots
          .computeIfAbsent(
              at, slot -> new Slot(new LinkedHashSet<>(), watch.listen(at, () -> lookAt(at))))
          .waits()
          .add(wait);
    }
    lookAt(at);
    return wait;
  }

  /** Forgets a call, and returns whether it was still waiting. */
  synchronized boolean remove(Wait wait) {
    Optional<Slot> slot = Optional.ofNullable(slots.get(wait.slot));
    if (slot.filter(of -> of.waits().remove(wait)).isEmpty()) {
      return false;
    }
    count--;
    if (slot.get().waits().isEmpty()) {
      slots.remove(wait.slot);
      slot.get().listener().close();
    }
    return true;
  }

  private void answer(Wait wait, ByteString envelope) {
    if (remove(wait)) {
      wait.answer.accept(envelope);
    }
  }

  private void endOverdue() {
    long now = nanoTime.getAsLong();
    List<Wait> over = waiting().stream().filter(wait -> wait.deadline - now <= 0).toList();
    if (!over.isEmpty()) {
      executor.execute(() -> over.forEach(wait -> answer(wait, ByteString.EMPTY)));
    }
  }

  private synchronized List<Wait> waiting() {
    List<Wait> all = new ArrayList<>();
    slots.values().forEach(slot -> all.addAll(slot.waits()));
    return all;
  }

  private void lookAt(int slot) {
    synchronized (this) {
      changed.add(slot);
    }
    rounds.schedule();
  }

  private boolean lookAtOne() {
    List<Wait> waits;
    synchronized (this) {
      Optional<Integer> next = changed.stream().findFirst();
      if (next.isEmpty()) {
        return false;
      }
      changed.remove(next.get());
      waits =
          Optional.ofNullable(slots.get(next.get()))
              .map(slot -> List.copyOf(slot.waits()))
              .orElse(List.of());
    }
    for (int from = 0; from < waits.size(); from += READS_AT_ONCE) {
      look(waits.subList(from, Math.min(from + READS_AT_ONCE, waits.size())));
    }
    return true;
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
    waiting().forEach(wait -> answer(wait, ByteString.EMPTY));
  }
}
