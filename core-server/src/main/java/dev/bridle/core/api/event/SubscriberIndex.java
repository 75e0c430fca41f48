package dev.bridle.core.api.event;

import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.storage.layer.EventId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The live subscribers of a tail by what they follow: a task, a session, or the tenant. An event is
 * offered only to those that can want it. Not thread-safe: its tail guards it.
 */
final class SubscriberIndex {
  private final Map<String, Map<Subscriber, EventId>> ofTasks = new HashMap<>();
  private final Map<String, Map<Subscriber, EventId>> ofSessions = new HashMap<>();
  private final Map<Subscriber, EventId> ofTenant = new LinkedHashMap<>();

  /**
   * Adds a subscriber.
   *
   * @param readUpTo what its own read of the log has passed: it may be ahead of the tail's last
   *     poll, so that the next poll can return events that the subscriber has already read
   */
  void add(Subscriber subscriber, EventId readUpTo) {
    EventScope scope = subscriber.scope();
    if (scope.task().isPresent()) {
      add(ofTasks, scope.task().get().getTask().getId(), subscriber, readUpTo);
    } else if (scope.session().isPresent()) {
      add(ofSessions, scope.session().get(), subscriber, readUpTo);
    } else {
      ofTenant.put(subscriber, readUpTo);
    }
  }

  private static void add(
      Map<String, Map<Subscriber, EventId>> index, String key, Subscriber one, EventId readUpTo) {
    index.computeIfAbsent(key, unused -> new LinkedHashMap<>()).put(one, readUpTo);
  }

  /** Removes a subscriber, if it is there. */
  void remove(Subscriber subscriber) {
    EventScope scope = subscriber.scope();
    if (scope.task().isPresent()) {
      remove(ofTasks, scope.task().get().getTask().getId(), subscriber);
    } else if (scope.session().isPresent()) {
      remove(ofSessions, scope.session().get(), subscriber);
    } else {
      ofTenant.remove(subscriber);
    }
  }

  private static void remove(
      Map<String, Map<Subscriber, EventId>> index, String key, Subscriber one) {
    index.computeIfPresent(
        key,
        (unused, subscribers) -> {
          subscribers.remove(one);
          return subscribers.isEmpty() ? null : subscribers;
        });
  }

  /**
   * Offers an event to those that follow its task, its session or the tenant, and removes those
   * that can't keep up. Adds to {@code toRun} the subscribers that have to be run.
   */
  void offer(LoadedEvent event, List<Subscriber> toRun) {
    offer(ofTasks, event.record().getTaskId(), event, toRun);
    offer(ofSessions, event.stream(), event, toRun);
    offer(ofTenant, event, toRun);
  }

  private static void offer(
      Map<String, Map<Subscriber, EventId>> index,
      String key,
      LoadedEvent event,
      List<Subscriber> toRun) {
    Map<Subscriber, EventId> subscribers = index.get(key);
    if (subscribers != null) {
      offer(subscribers, event, toRun);
      if (subscribers.isEmpty()) {
        index.remove(key);
      }
    }
  }

  private static void offer(
      Map<Subscriber, EventId> subscribers, LoadedEvent event, List<Subscriber> toRun) {
    for (Iterator<Map.Entry<Subscriber, EventId>> all = subscribers.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Subscriber, EventId> one = all.next();
      if (event.id().compareTo(one.getValue()) <= 0) {
        continue;
      }
      Subscriber subscriber = one.getKey();
      Subscriber.Offered offered = subscriber.offer(event);
      if (offered == Subscriber.Offered.FULL) {
        all.remove();
      }
      if (offered != Subscriber.Offered.HELD && subscriber.request()) {
        toRun.add(subscriber);
      }
    }
  }
}
