package dev.bridle.core.api.event;

import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.WakeKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one tenant's log for all its subscribers in this process, and only the partitions that
 * they need. Each poll reads those partitions at one version and delivers new events in log order,
 * so a live subscriber costs no reads of its own.
 *
 * <p>A subscriber first reads history from the log, then joins at the version that it has read up
 * to. The newest events are buffered, so that events delivered between the two are not missed.
 */
final class EventTail {
  private static final Logger log = LoggerFactory.getLogger(EventTail.class);
  private static final int BATCH = 500;
  private static final int MAX_RECENT = 2048;
  private static final long MAX_RECENT_BYTES = 4L << 20;

  /** The maximum number of subscribers that are run one after another. */
  private static final int GROUP = 64;

  private final KeyValueStore store;
  private final EventLog eventLog;
  private final EventReader reader;
  private final WakeKeys wakes;
  private final String tenant;
  private final Executor executor;
  private final Runnable closed;
  private final CoalescingTask rounds;

  private final Map<Integer, Integer> needs = new HashMap<>();
  private final Map<Integer, EventId> activeSince = new HashMap<>();
  private final SubscriberIndex subscribers = new SubscriberIndex();
  private final List<Runnable> afterPoll = new ArrayList<>();
  private final Deque<LoadedEvent> recent = new ArrayDeque<>();
  private final Map<Integer, CompletableFuture<Void>> watches = new HashMap<>();
  private long recentBytes;
  // Accessed by polls alone. Less is read after a failure, else a store that is too slow for many
  // events at once would never get past them.
  private int batch = BATCH;
  private Optional<EventId> position = Optional.empty();
  private Optional<EventId> recentFloor = Optional.empty();

  /**
   * Creates the tail of a tenant.
   *
   * @param closed runs when the tenant's log is closed and no more events can follow
   */
  EventTail(
      KeyValueStore store,
      EventLog eventLog,
      EventReader reader,
      WakeKeys wakes,
      String tenant,
      Executor executor,
      Runnable closed) {
    this.store = store;
    this.eventLog = eventLog;
    this.reader = reader;
    this.wakes = wakes;
    this.tenant = tenant;
    this.executor = executor;
    this.closed = closed;
    this.rounds =
        new CoalescingTask(
            executor,
            this::poll,
            failure -> {
              batch = Math.max(1, batch / 2);
              FailureLog.warn(
                  log,
                  "Following the events of tenant " + tenant + " failed; trying again soon.",
                  failure);
            });
  }

  /** Follows partitions from the next poll on, until {@link #release}. */
  void need(Set<Integer> partitions) {
    if (!add(partitions)) {
      poke();
    }
  }

  /** Adds to what is needed. Returns whether all of it is already followed. */
  private synchronized boolean add(Set<Integer> partitions) {
    partitions.forEach(partition -> needs.merge(partition, 1, Integer::sum));
    return activeSince.keySet().containsAll(partitions);
  }

  /** Releases partitions that a subscriber no longer needs. */
  synchronized void release(Set<Integer> partitions) {
    partitions.forEach(
        partition -> needs.computeIfPresent(partition, (p, n) -> n == 1 ? null : n - 1));
    activeSince.keySet().retainAll(needs.keySet());
    if (needs.isEmpty()) {
      position = Optional.empty();
      recentFloor = Optional.empty();
      recent.clear();
      recentBytes = 0;
      watches.values().forEach(watch -> watch.cancel(false));
      watches.clear();
    }
  }

  /**
   * Delivers to a subscriber all events after the version that it has read up to, if they are
   * available without a gap. Otherwise runs {@code retry} after the next poll, so that the
   * subscriber reads on from the log before it tries again.
   */
  synchronized boolean join(
      Subscriber subscriber, Set<Integer> partitions, EventId readUpTo, Runnable retry) {
    boolean active = activeSince.keySet().containsAll(partitions) && recentFloor.isPresent();
    if (!active
        || recentFloor.get().compareTo(readUpTo) > 0
        || partitions.stream().anyMatch(p -> activeSince.get(p).compareTo(readUpTo) > 0)) {
      afterPoll.add(retry);
      poke();
      return false;
    }
    Deque<LoadedEvent> missed = new ArrayDeque<>();
    for (Iterator<LoadedEvent> newest = recent.descendingIterator(); newest.hasNext(); ) {
      LoadedEvent event = newest.next();
      if (event.id().compareTo(readUpTo) <= 0) {
        break;
      }
      missed.push(event);
    }
    for (LoadedEvent event : missed) {
      if (subscriber.offer(event) == Subscriber.Offered.FULL) {
        return true; // Joins again once it has read the rest from the log.
      }
    }
    subscribers.add(subscriber, readUpTo);
    return true;
  }

  /** Stops delivering events to a subscriber. */
  synchronized void leave(Subscriber subscriber) {
    subscribers.remove(subscriber);
  }

  /** Schedules a poll for new events. */
  void poke() {
    rounds.schedule();
  }

  private boolean poll() {
    Set<Integer> partitions = wanted();
    if (partitions.isEmpty()) {
      return false;
    }
    try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
      ReadTransaction snapshot = tr.snapshot();
      OptionalInt era = eventLog.openEra(snapshot, tenant);
      if (era.isEmpty()) {
        closed.run();
        return false;
      }
      EventId end = EventId.lastOf(era.getAsInt(), snapshot.readVersion());
      EventId from = begin(partitions, end);
      EventReader.NewEvents newEvents = reader.newEvents(snapshot, tenant, partitions, from, batch);
      boolean cut = newEvents.cutAt().isPresent();
      Map<Integer, CompletableFuture<Void>> set = new HashMap<>();
      if (!cut) {
        for (int partition : partitions) {
          set.computeIfAbsent(wakes.ofEvents(tenant, partition), slot -> wakes.watch(tr, slot));
        }
        tr.commit();
      }
      publish(newEvents.events(), newEvents.cutAt().orElse(end), set);
      batch = Math.min(BATCH, batch + batch / 4 + 1);
      return cut;
    }
  }

  private synchronized Set<Integer> wanted() {
    return new HashSet<>(needs.keySet());
  }

  /** Returns where the poll starts, and marks newly needed partitions as followed from there on. */
  private synchronized EventId begin(Set<Integer> partitions, EventId end) {
    if (needs.isEmpty()) {
      // The last reader has left: a position that stayed would have the next one's poll begin here.
      return end;
    }
    if (position.isEmpty()) {
      position = Optional.of(end);
    }
    if (recentFloor.isEmpty()) {
      // Also where the last reader left while a poll was under way, and another one came.
      recentFloor = position;
    }
    EventId from = position.get();
    partitions.stream()
        .filter(needs::containsKey)
        .forEach(partition -> activeSince.putIfAbsent(partition, from));
    return from;
  }

  private void publish(
      List<LoadedEvent> events, EventId upTo, Map<Integer, CompletableFuture<Void>> set) {
    List<Runnable> retries;
    List<Subscriber> toRun = new ArrayList<>();
    synchronized (this) {
      watches.values().forEach(watch -> watch.cancel(false));
      watches.clear();
      if (needs.isEmpty()) {
        set.values().forEach(watch -> watch.cancel(false));
      } else {
        watches.putAll(set);
        position = Optional.of(upTo);
        events.forEach(event -> deliver(event, toRun));
      }
      retries = List.copyOf(afterPoll);
      afterPoll.clear();
    }
    run(toRun);
    for (CompletableFuture<Void> watch : set.values()) {
      var unused = watch.thenRun(this::poke);
    }
    retries.forEach(this::retry);
  }

  private void retry(Runnable join) {
    try {
      join.run();
    } catch (RuntimeException | Error e) {
      log.warn("No thread lets a reader join; it does after the next poll.", e);
      synchronized (this) {
        afterPoll.add(join);
      }
    }
  }

  /**
   * Runs subscribers, many on one thread: most have one event to send, which takes microseconds.
   */
  private void run(List<Subscriber> subscribers) {
    for (int from = 0; from < subscribers.size(); from += GROUP) {
      List<Subscriber> group =
          subscribers.subList(from, Math.min(from + GROUP, subscribers.size()));
      runSoon(() -> group.forEach(EventTail::runOne));
    }
  }

  /**
   * Where no thread can be had, this one does it: nobody else would run those subscribers again.
   */
  private void runSoon(Runnable group) {
    try {
      executor.execute(group);
    } catch (RuntimeException | Error e) {
      log.warn("No thread runs event streams; they are run one by one.", e);
      group.run();
    }
  }

  /** Runs a subscriber; its failure must not keep the others of its group from running. */
  private static void runOne(Subscriber subscriber) {
    try {
      subscriber.run();
    } catch (RuntimeException | Error e) {
      log.error("An event stream failed unexpectedly.", e);
    }
  }

  private void deliver(LoadedEvent event, List<Subscriber> toRun) {
    recent.add(event);
    recentBytes += event.bytes();
    while (recent.size() > MAX_RECENT || recentBytes > MAX_RECENT_BYTES) {
      LoadedEvent oldest = recent.remove();
      recentBytes -= oldest.bytes();
      recentFloor = Optional.of(oldest.id());
    }
    subscribers.offer(event, toRun);
  }
}
