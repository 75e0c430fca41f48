package dev.bridle.core.integrations.harpsession;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Timestamp;
import dev.bridle.core.integrations.repo.HarpRepoStore;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sessions of the core in workspaces that a repository is mapped to, as events of HARP. */
final class MirroredSessions {
  private static final String AGENT_HOST = "bridle";
  private static final int NEWEST_TASKS = 20;
  private static final int LAST_EVENTS = 64;

  private final SessionStore sessions;
  private final HarpRepoStore repos;
  private final TaskStore tasks;
  private final EventReader reader;

  MirroredSessions(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.repos = new HarpRepoStore(context.layout());
    this.tasks = new TaskStore(context.layout());
    this.reader = new EventReader(context.log());
  }

  /** Returns a session of the core that the caller has access to, whether or not it is mapped. */
  Optional<Session> find(ReadTransaction tr, Caller caller, String id) {
    return sessions.find(tr, caller, id);
  }

  /** Returns whether a session is shown to HARP. */
  boolean isMapped(ReadTransaction tr, String tenant, Session session) {
    return repos.isMapped(tr, tenant, session.getWorkspaceId());
  }

  /** Returns the workspace that exactly one mapping of a repository leads the caller to. */
  Optional<String> workspaceOf(ReadTransaction tr, Caller caller, String repoRef) {
    List<HarpRepo> found = repos.ofRepo(tr, caller, repoRef);
    return found.size() == 1 ? Optional.of(found.get(0).getWorkspaceId()) : Optional.empty();
  }

  /** Returns when a session has ended; empty while it has not. */
  static Optional<EventTime> ended(Session session) {
    return EndReason.of(session.getState()).map(reason -> time(session.getUpdatedAt()));
  }

  /**
   * An event of a session that is not stored as such.
   *
   * @param key the key, by which it is ordered among those that are stored
   * @param json the event
   */
  record Derived(String key, ObjectNode json) {}

  /** Returns the events that follow from a session: its start, its status, and its end. */
  List<Derived> events(ReadTransaction tr, Caller caller, Session session) {
    List<Derived> events = new ArrayList<>();
    EventTime begun = time(session.getCreatedAt());
    ObjectNode start =
        event(session, ReceivedEvent.START)
            .put("createdAt", begun.instant().toString())
            .put("agentHost", AGENT_HOST);
    repos.ofWorkspace(tr, caller, session.getWorkspaceId(), 1).stream()
        .findFirst()
        .ifPresent(repo -> start.put("repoRef", repo.getRepoRef()));
    events.add(new Derived(begun.key() + "/0", start));
    Optional<EventTime> ended = ended(session);
    if (ended.isEmpty()) {
      events.add(status(tr, caller, session));
    } else {
      events.add(
          new Derived(
              ended.get().key() + "/2",
              event(session, ReceivedEvent.END)
                  .put("endedAt", ended.get().instant().toString())
                  .put("reason", EndReason.of(session.getState()).orElseThrow().spelled())));
    }
    return events;
  }

  private Derived status(ReadTransaction tr, Caller caller, Session session) {
    List<TaskRecord> newest =
        tasks.newestOfSession(tr, caller.tenant(), session.getId(), NEWEST_TASKS);
    SessionActivity activity =
        SessionActivity.of(newest, task -> lastKinds(tr, caller.tenant(), task));
    EventTime updated =
        newest.stream()
            .map(task -> time(task.getTask().getUpdatedAt()))
            .max(EventTime::compareTo)
            .orElseGet(() -> time(session.getUpdatedAt()));
    return new Derived(
        updated.key() + "/1",
        event(session, "session.status")
            .put("state", activity.spelled())
            .put("updatedAt", updated.instant().toString()));
  }

  private List<String> lastKinds(ReadTransaction tr, String tenant, TaskRecord task) {
    long from = Math.max(0, task.getNextSequence() - LAST_EVENTS);
    return reader.ofTask(tr, tenant, task, from, LAST_EVENTS).events().stream()
        .map(event -> event.record().getEvent())
        .toList();
  }

  private static ObjectNode event(Session session, String type) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("sessionId", session.getId())
        .put("eventType", type);
  }

  private static EventTime time(Timestamp time) {
    return new EventTime(Instant.ofEpochSecond(time.getSeconds(), time.getNanos()));
  }
}
