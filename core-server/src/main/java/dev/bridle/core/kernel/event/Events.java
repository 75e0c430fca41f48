package dev.bridle.core.kernel.event;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.PendingEventId;

/**
 * Appends events of all resources but tasks. Their sequence numbers come from a counter per
 * resource. A task's events are numbered on its record, and {@code TaskChange} appends them.
 */
public final class Events {
  private final EventLog log;

  public Events(EventLog log) {
    this.log = log;
  }

  /** Appends an event of a session that belongs to no task. */
  public PendingEventId ofSession(Write write, String workspace, String session, EventDraft draft) {
    return ofResource(write, workspace, session, "session", session, session, draft);
  }

  /** Appends an event of a resource that belongs to no session. */
  public PendingEventId ofWorkspace(Write write, String workspace, EventDraft draft) {
    return ofResource(write, workspace, "workspace", workspace, draft);
  }

  /** Appends an event of a resource that all workspaces of the tenant share. */
  public PendingEventId ofTenant(Write write, String object, String id, EventDraft draft) {
    return ofResource(write, "", object, id, draft);
  }

  /** Appends an event of a resource to its own stream; it lies in a workspace, if that is given. */
  public PendingEventId ofResource(
      Write write, String workspace, String object, String id, EventDraft draft) {
    return ofResource(write, workspace, "", object, id, id, draft);
  }

  /**
   * Appends an event of a resource that is no task.
   *
   * @param workspace the resource's workspace; empty where all of the tenant share it
   * @param session the resource's session; empty where it has none
   * @param stream the stream that the event belongs to: the session, or else the resource's own
   */
  public PendingEventId ofResource(
      Write write,
      String workspace,
      String session,
      String object,
      String id,
      String stream,
      EventDraft draft) {
    long sequence = log.takeSequence(write.tr(), write.tenant(), object, id);
    EventRecord record =
        draft
            .record(write)
            .setResourceObject(object)
            .setResourceId(id)
            .setSequence(sequence)
            .setSessionId(session)
            .setWorkspaceId(workspace)
            .build();
    PendingEventId event = write.appender().append(stream, record.toByteArray());
    write.appended(event);
    return event;
  }
}
