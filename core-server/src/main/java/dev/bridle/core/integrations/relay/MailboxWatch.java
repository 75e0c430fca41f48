package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.WakeKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners of this process that mailboxes may have changed: all that share a wake slot share
 * one watch of the store. A slow poll stands behind the watches, which may be missed. Thread-safe.
 */
final class MailboxWatch {
  private static final Logger log = LoggerFactory.getLogger(MailboxWatch.class);
  private static final Duration POLL = Duration.ofSeconds(5);

  private final KeyValueStore store;
  private final WakeKeys wakes;
  private final CoalescingTask rounds;

  private final Map<Integer, Set<Listener>> listeners = new HashMap<>();
  private final Map<Integer, CompletableFuture<Void>> watches = new HashMap<>();
  private final Set<Integer> changed = new TreeSet<>();

  MailboxWatch(CoreContext context) {
    this.store = context.store();
    this.wakes = new WakeKeys(context.layout());
    this.rounds =
        new CoalescingTask(
            context.environment().background(),
            this::round,
            failure ->
                FailureLog.warn(log, "Watching mailboxes failed; it is tried again.", failure));
  }

  /** A listener, until it is closed. */
  final class Listener implements AutoCloseable {
    private final int slot;
    private final Runnable run;

    private Listener(int slot, Runnable run) {
      this.slot = slot;
      this.run = run;
    }

    @Override
    public void close() {
      forget(this);
    }
  }

  void start(ScheduledExecutorService timer) {
    Periodic.every(timer, POLL, "Looking after mailboxes", this::poll);
  }

  /** Returns the slot of an owner's mailbox, which listeners may share. */
  int slotOf(String tenant, String owner) {
    return wakes.ofMailbox(tenant, owner);
  }

  /**
   * Listens to a slot.
   *
   * @param run is run once the watch is set, and after each change; it must not block for long
   */
  Listener listen(int slot, Runnable run) {
    Listener listener = new Listener(slot, run);
    synchronized (this) {
      listeners.computeIfAbsent(slot, of -> new LinkedHashSet<>()).add(listener);
    }
    changed(slot);
    return listener;
  }

  private synchronized void forget(Listener listener) {
    Set<Listener> others = listeners.getOrDefault(listener.slot, new LinkedHashSet<>());
    others.remove(listener);
    if (others.isEmpty()) {
      listeners.remove(listener.slot);
      Optional.ofNullable(watches.remove(listener.slot)).ifPresent(watch -> watch.cancel(false));
    }
  }

  private void poll() {
    Set<Integer> slots;
    synchronized (this) {
      slots = Set.copyOf(listeners.keySet());
    }
    slots.forEach(this::changed);
  }

  private void changed(int slot) {
    synchronized (this) {
      changed.add(slot);
    }
    rounds.schedule();
  }

  private boolean round() {
    int slot;
    List<Listener> woken;
    synchronized (this) {
      Optional<Integer> next = changed.stream().findFirst();
      if (next.isEmpty()) {
        return false;
      }
      slot = next.get();
      changed.remove(slot);
      woken = List.copyOf(listeners.getOrDefault(slot, Set.of()));
    }
    if (!woken.isEmpty()) {
      watch(slot);
      woken.forEach(listener -> listener.run.run());
    }
    return true;
  }

  /** Watches a slot from now on, so that no change after the reads of listeners is missed. */
  private void watch(int slot) {
    CompletableFuture<Void> watch = store.transact(tr -> wakes.watch(tr, slot));
    synchronized (this) {
      Optional.ofNullable(watches.put(slot, watch)).ifPresent(before -> before.cancel(false));
      if (!listeners.containsKey(slot)) {
        watches.remove(slot);
        watch.cancel(false);
      }
    }
    var unused = watch.thenRun(() -> changed(slot));
  }
}
