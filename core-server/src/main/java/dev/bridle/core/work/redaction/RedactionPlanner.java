package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventLinks;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.redaction.v1.RedactedItem;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds what a redaction has to erase: what a request names, and every other resource and step with
 * the same content. Reads in many short transactions; {@link Erasure} verifies what may have
 * changed since.
 */
final class RedactionPlanner {
  private final CoreContext context;
  private final SessionStore sessions;
  private final MessageStore messages;

  RedactionPlanner(CoreContext context) {
    this.context = context;
    this.sessions = new SessionStore(context.layout(), context.log());
    this.messages = new MessageStore(context.layout());
  }

  /**
   * Plans a redaction.
   *
   * @throws ProtocolException {@code resource_not_found} for what the caller can't access, {@code
   *     conflict} for content of a task that has not ended
   */
  RedactionPlan plan(Caller caller, List<RedactedItem> items) {
    List<Named> named = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      named.add(find(caller, items.get(i), "items[" + i + "]"));
    }
    List<String> workspaces = named.stream().map(Named::workspace).distinct().toList();
    if (workspaces.size() > 1) {
      throw ProtocolException.invalid("items", "must all be of one workspace");
    }
    RedactionPlan plan =
        new RedactionPlan(workspaces.get(0), named.stream().map(Named::key).distinct().toList());
    PlannedContent content = new PlannedContent(context, caller.tenant(), plan);
    named.forEach(item -> item.plan().into(content));
    return plan;
  }

  /** Adds what has a content to a plan. */
  private interface Step {
    void into(PlannedContent content);
  }

  /**
   * An item of a request.
   *
   * @param key the resource that has its content
   * @param workspace its workspace
   * @param plan adds it to a plan
   */
  private record Named(String key, String workspace, Step plan) {}

  private Named find(Caller caller, RedactedItem item, String param) {
    return switch (item.getObject()) {
      case REDACTED_OBJECT_MESSAGE -> message(caller, item.getId(), param);
      case REDACTED_OBJECT_ARTIFACT -> artifact(caller, item.getId(), param);
      case REDACTED_OBJECT_TASK -> task(caller, item.getId(), param);
      default -> event(caller, item.getId(), param);
    };
  }

  private Named message(Caller caller, String id, String param) {
    String workspace =
        context
            .store()
            .read(
                tr ->
                    messages
                        .find(tr, caller.tenant(), id)
                        .flatMap(found -> sessions.find(tr, caller, found.getSessionId())))
            .orElseThrow(() -> ProtocolException.notFound("message", id).blaming(param))
            .getWorkspaceId();
    return new Named(
        RedactionStore.idOf(RedactionStore.MESSAGE, id),
        workspace,
        content -> content.message(id, param));
  }

  private Named artifact(Caller caller, String id, String param) {
    ArtifactRecord record =
        context
            .store()
            .read(tr -> ArtifactStore.ARTIFACT.store(context.layout()).get(tr, caller.tenant(), id))
            .filter(found -> caller.reaches(found.getArtifact().getWorkspaceId()))
            .orElseThrow(() -> ProtocolException.notFound("artifact", id).blaming(param));
    return new Named(
        RedactionStore.idOf(RedactionStore.ARTIFACT, id),
        record.getArtifact().getWorkspaceId(),
        content -> content.artifact(id, param));
  }

  private Named task(Caller caller, String id, String param) {
    TaskRecord record =
        context
            .store()
            .read(tr -> new TaskStore(context.layout()).reached(tr, caller, id))
            .orElseThrow(() -> ProtocolException.notFound("task", id).blaming(param));
    return new Named(
        RedactionStore.idOf(RedactionStore.WHOLE_TASK, id),
        record.getTask().getWorkspaceId(),
        content -> content.wholeTask(id, param));
  }

  private Named event(Caller caller, String id, String param) {
    Optional<StoredEvent> stored =
        EventId.parse(id)
            .flatMap(
                known ->
                    context.store().read(tr -> context.log().find(tr, caller.tenant(), known)));
    Optional<EventRecord> read =
        stored.map(TaskContent::event).filter(event -> caller.reaches(event.getWorkspaceId()));
    if (read.isEmpty()) {
      throw ProtocolException.notFound("event", id).blaming(param);
    }
    EventRecord event = read.get();
    EventLinks links = EventLinks.of(event);
    String key = RedactionStore.idOf(RedactionStore.EVENT, id);
    if (!event.getTaskId().isEmpty()) {
      return new Named(
          key,
          event.getWorkspaceId(),
          content -> content.eventOfTask(event.getTaskId(), stored.get().id(), param));
    }
    if (links.holdsMessage()) {
      return new Named(
          key, event.getWorkspaceId(), content -> content.message(links.message(), param));
    }
    if (PlannedContent.OF_ARTIFACTS.contains(links.kind())) {
      return new Named(
          key, event.getWorkspaceId(), content -> content.artifact(event.getResourceId(), param));
    }
    throw ProtocolException.invalid(
            param, "is an event that is neither of a task nor about a message or an artifact")
        .with("event_id", id)
        .with("event", event.getEvent());
  }
}
