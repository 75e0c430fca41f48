package dev.bridle.core.api.event;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import java.util.List;
import java.util.Optional;

/** Reads the events of one subscription from the log, page by page. Not thread-safe. */
final class EventHistory {
  private static final int PAGE = 64;

  private final KeyValueStore store;
  private final EventLog log;
  private final EventReader reader;
  private final TaskStore tasks;
  private final EventScope scope;
  private Optional<EventId> scanned;
  private boolean cursorChecked;
  private long nextSequence = -1;

  // Up to where everything was sent; reads may be further.
  private Optional<EventId> sent;
  private long sentSequence = -1;

  /**
   * Creates a reader of a scope's events.
   *
   * @param after the cursor to read on from; empty to begin with the oldest retained event
   */
  EventHistory(CoreContext context, TaskStore tasks, EventScope scope, Optional<EventId> after) {
    this.store = context.store();
    this.log = context.log();
    this.reader = new EventReader(context.log());
    this.tasks = tasks;
    this.scope = scope;
    this.scanned = after;
    this.sent = after;
  }

  /**
   * The result of a read of the log.
   *
   * @param events the events for the reader
   * @param scannedTo where the next read starts
   * @param exhausted whether the log held no events after these at that version
   * @param ended whether no more events can follow
   * @param expired whether the cursor has expired
   * @param nextSequence the sequence where the next read of a task starts, also past events that
   *     are not for the reader; -1 for other scopes, and if nothing was read
   */
  record Page(
      List<LoadedEvent> events,
      EventId scannedTo,
      boolean exhausted,
      boolean ended,
      boolean expired,
      long nextSequence) {}

  /** Reads the next page. */
  Page next() {
    allSent();
    Page page = store.read(this::page);
    cursorChecked = true;
    if (!page.expired()) {
      scanned = Optional.of(page.scannedTo());
      nextSequence = Math.max(nextSequence, page.nextSequence());
    }
    return page;
  }

  /** Notes that all that was read was sent. */
  void allSent() {
    sent = scanned;
    sentSequence = nextSequence;
  }

  /** Has the events that were read and not sent read again. */
  void rewind() {
    scanned = sent;
    nextSequence = sentSequence;
  }

  /** Notes an event that was sent, be it from the log or from the tail: reads continue after it. */
  void passed(LoadedEvent event) {
    if (scanned.isEmpty() || event.id().compareTo(scanned.get()) > 0) {
      scanned = Optional.of(event.id());
    }
    if (sent.isEmpty() || event.id().compareTo(sent.get()) > 0) {
      sent = Optional.of(event.id());
    }
    if (scope.task().isPresent()) {
      sentSequence = event.record().getSequence() + 1;
      nextSequence = Math.max(nextSequence, sentSequence);
    }
  }

  /** Returns the cursor right before the oldest retained event; empty if none was dropped. */
  Optional<EventId> oldest() {
    return store.read(tr -> EventCursors.oldest(tr, log, scope));
  }

  private Page page(ReadTransaction tr) {
    EventId readUpTo = EventId.lastOf(log.era(tr, scope.tenant()), tr.readVersion());
    if (scanned.isEmpty()) {
      scanned = EventCursors.oldest(tr, log, scope);
      cursorChecked = true;
    }
    if (expired(tr)) {
      return new Page(List.of(), readUpTo, false, false, true, -1);
    }
    if (scope.task().isPresent()) {
      return taskPage(tr, scope.task().get().getTask().getId(), readUpTo);
    }
    return page(
        scope.session().isPresent()
            ? reader.ofSession(tr, scope.tenant(), scope.session().get(), scanned, PAGE)
            : reader.ofTenant(tr, scope.tenant(), scanned, PAGE),
        readUpTo,
        false);
  }

  private Page taskPage(ReadTransaction tr, String id, EventId readUpTo) {
    TaskRecord task = tasks.find(tr, scope.tenant(), id).orElseThrow(IllegalStateException::new);
    if (nextSequence < 0) {
      nextSequence =
          scanned.map(after -> reader.sequenceAfter(tr, scope.tenant(), task, after)).orElse(0L);
    }
    return page(
        reader.ofTask(tr, scope.tenant(), task, nextSequence, PAGE),
        readUpTo,
        TaskLifecycle.terminal(task.getTask().getStatus()));
  }

  private Page page(EventReader.Loaded loaded, EventId readUpTo, boolean ended) {
    List<LoadedEvent> found = loaded.events();
    boolean exhausted = !loaded.cut() && found.size() < PAGE;
    return new Page(
        found.stream().filter(scope::holds).toList(),
        exhausted ? readUpTo : found.get(found.size() - 1).id(),
        exhausted,
        ended,
        false,
        scope.task().isEmpty() || found.isEmpty()
            ? -1
            : found.get(found.size() - 1).record().getSequence() + 1);
  }

  private boolean expired(ReadTransaction tr) {
    if (scanned.isEmpty()) {
      return false;
    }
    return EventCursors.expired(tr, log, scope, scanned.get())
        || (!cursorChecked && !log.mayExist(tr, scope.tenant(), scanned.get()));
  }
}
