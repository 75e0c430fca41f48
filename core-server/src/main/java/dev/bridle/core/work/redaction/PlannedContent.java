package dev.bridle.core.work.redaction;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.redaction.RedactionPlan.Step;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.core.work.redaction.TaskContent.LinkedEvent;
import dev.bridle.core.work.redaction.TaskContent.LinkedStep;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.task.v1.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Adds contents to a plan, each with all resources and steps that have it. What belongs to one
 * permission request (the question, its answers, the messages with them) counts as one content; so
 * does what a task's end says.
 */
final class PlannedContent {
  /** Events that say what an artifact holds. */
  static final Set<String> OF_ARTIFACTS =
      Set.of(EventKinds.ARTIFACT_CREATED, EventKinds.ARTIFACT_UPDATED);

  /** How many events' links are kept in memory. */
  private static final int MAX_EVENTS = 100_000;

  /** The maximum size of copies that are erased together with their message. */
  private static final long MAX_COPIED_BYTES = 4L << 20;

  private static final Set<String> QUESTIONS =
      Set.of(EventKinds.TASK_INPUT_REQUIRED, EventKinds.TOOL_REQUESTED);

  private static final Set<String> RULINGS =
      Set.of(
          EventKinds.ACTION_ALLOWED,
          EventKinds.ACTION_SHADOWED,
          EventKinds.ACTION_PROPOSED,
          EventKinds.PERMISSION_USED,
          EventKinds.ACTED_DIFFERENTLY);

  private final CoreContext context;
  private final String tenant;
  private final RedactionPlan plan;
  private final SessionContent sessions;
  private final Map<String, TaskRecord> tasks = new HashMap<>();
  private final Map<String, TaskContent> contents = new HashMap<>();

  PlannedContent(CoreContext context, String tenant, RedactionPlan plan) {
    this.context = context;
    this.tenant = tenant;
    this.plan = plan;
    this.sessions = new SessionContent(context, tenant);
  }

  /** Adds a message with its copies in forked sessions. */
  void message(String id, String param) {
    if (plan.contains(RedactionStore.MESSAGE, id)) {
      return;
    }
    Optional<Message> given = context.store().read(tr -> stored().get(tr, tenant, id));
    if (given.isEmpty()) {
      return;
    }
    String original = given.get().hasCopyOf() ? given.get().getCopyOf() : id;
    List<String> copies =
        context.store().read(tr -> Copies.of(tr, context, tenant, original)).stream()
            .map(IndexRow::id)
            .toList();
    List<String> family = new ArrayList<>(List.of(original));
    long bytes = (long) copies.size() * given.get().getSerializedSize();
    if (copies.size() <= Copies.MAX_AT_ONCE && bytes <= MAX_COPIED_BYTES) {
      family.addAll(copies);
    } else {
      plan.addPending(RedactionStore.MESSAGE, original);
      family.add(id);
    }
    family.stream()
        .distinct()
        .map(one -> context.store().read(tr -> stored().get(tr, tenant, one)))
        .flatMap(Optional::stream)
        .forEach(message -> one(message, param));
  }

  /** Adds everything of a task. Most of it is erased piece by piece. */
  void wholeTask(String id, String param) {
    Task task = ended(id, param).getTask();
    plan.add(new Target(RedactionStore.WHOLE_TASK, id, task.getSessionId(), id));
    plan.add(new Target(RedactionStore.TASK, id, task.getSessionId(), id));
    plan.add(new Target(RedactionStore.OUTCOME, task.getOutcomeId(), task.getSessionId(), id));
    plan.addPending(RedactionStore.TASK, id);
  }

  private RecordStore<Message> stored() {
    return MessageStore.MESSAGE.store(context.layout());
  }

  private void one(Message message, String param) {
    String id = message.getId();
    String session = message.getSessionId();
    if (!plan.add(new Target(RedactionStore.MESSAGE, id, session, message.getTaskId()))) {
      return;
    }
    plan.addParts(message.getPartsCount());
    if (!message.hasTaskId()) {
      sessions.eventOf(message).ifPresent(event -> event(event, session, ""));
      return;
    }
    TaskRecord task = ended(message.getTaskId(), param);
    TaskContent content = content(task);
    for (LinkedEvent event : content.events()) {
      if (event.links().message().equals(id)) {
        if (event.links().holdsMessage()) {
          event(task, event);
        } else if (event.links().kind().equals(EventKinds.USER_TOOL_CONFIRMATION)) {
          permission(task, event.links().permission(), param);
        }
      }
    }
    if (isInput(task, id)) {
      submission(task);
    }
    steps(task, step -> step.message().equals(id));
  }

  /** Asks the input itself: retention may have dropped the event of the submission. */
  private boolean isInput(TaskRecord task, String message) {
    return context
        .store()
        .read(
            tr ->
                TaskStore.TASK_INPUT
                    .store(context.layout())
                    .get(tr, tenant, task.getTask().getId()))
        .filter(input -> input.getMessage().getId().equals(message))
        .isPresent();
  }

  /** Adds an artifact. */
  void artifact(String id, String param) {
    if (plan.contains(RedactionStore.ARTIFACT, id)) {
      return;
    }
    Optional<ArtifactRecord> found =
        context
            .store()
            .read(tr -> ArtifactStore.ARTIFACT.store(context.layout()).get(tr, tenant, id));
    if (found.isEmpty()) {
      return;
    }
    plan.add(found.get());
    var artifact = found.get().getArtifact();
    String stream = artifact.hasSessionId() ? artifact.getSessionId() : id;
    if (artifact.hasTaskId()) {
      TaskRecord task = ended(artifact.getTaskId(), param);
      plan.add(new Target(RedactionStore.ARTIFACT, id, stream, artifact.getTaskId()));
      for (LinkedEvent event : content(task).events()) {
        if (event.links().artifact().equals(id) && OF_ARTIFACTS.contains(event.links().kind())) {
          event(task, event);
        }
      }
      steps(task, step -> step.artifact().equals(id));
    } else {
      plan.add(new Target(RedactionStore.ARTIFACT, id, stream, ""));
    }
    // Events after the end of its task are about the artifact itself.
    sessions.eventsOfArtifact(stream, id, OF_ARTIFACTS).forEach(event -> event(event, stream, ""));
  }

  /** Adds an event of a task, with what has the same content. */
  void eventOfTask(String taskId, EventId id, String param) {
    TaskRecord task = ended(taskId, param);
    LinkedEvent event =
        content(task).events().stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(() -> ProtocolException.notFound("event", id.toString()).blaming(param));
    var links = event.links();
    event(task, event);
    if (links.holdsMessage()) {
      message(links.message(), param);
    } else if (OF_ARTIFACTS.contains(links.kind())) {
      artifact(links.artifact(), param);
    } else if (!links.permission().isEmpty()) {
      permission(task, links.permission(), param);
    } else if (links.kind().equals(EventKinds.TASK_SUBMITTED)) {
      submission(task);
      if (!links.message().isEmpty()) {
        message(links.message(), param);
      }
    } else if (event.terminal() || links.kind().equals(EventKinds.USER_CANCEL_REQUESTED)) {
      end(task);
    } else if (QUESTIONS.contains(links.kind()) || RULINGS.contains(links.kind())) {
      action(task, links.stepKey(), param);
    }
    // Earlier releases kept no number with a step, whose event names it all the same.
    boolean names = links.kind().equals(EventKinds.DEPENDENCY_RECORDED);
    steps(
        task,
        step ->
            step.sequence() == 0
                ? names && step.key().equals(links.stepKey())
                : step.sequence() == event.sequence());
  }

  /** The question of a step, and what was asked and ruled about it, all have its input. */
  private void action(TaskRecord task, String stepKey, String param) {
    if (stepKey.isEmpty()) {
      return;
    }
    for (LinkedEvent event : content(task).events()) {
      if (event.links().stepKey().equals(stepKey)) {
        if (!event.links().permission().isEmpty()) {
          permission(task, event.links().permission(), param);
        } else if (QUESTIONS.contains(event.links().kind())
            || RULINGS.contains(event.links().kind())) {
          event(task, event);
        }
      }
    }
    steps(task, step -> step.asks() && step.key().equals(stepKey));
  }

  private void permission(TaskRecord task, String id, String param) {
    String session = task.getTask().getSessionId();
    String taskId = task.getTask().getId();
    if (id.isEmpty()
        || !plan.add(new Target(RedactionStore.PERMISSION_REQUEST, id, session, taskId))) {
      return;
    }
    for (LinkedEvent event : content(task).events()) {
      if (event.links().permission().equals(id)) {
        event(task, event);
        action(task, event.links().stepKey(), param);
        if (!event.links().message().isEmpty()) {
          message(event.links().message(), param);
        }
      }
    }
    steps(task, step -> step.permission().equals(id));
    for (PermissionGrantRecord record : grants(session)) {
      PermissionGrant grant = record.getGrant();
      if (grant.getRequestId().equals(id)) {
        plan.add(new Target(RedactionStore.PERMISSION_GRANT, grant.getId(), session, taskId));
      }
    }
  }

  private List<PermissionGrantRecord> grants(String session) {
    return context
        .store()
        .read(tr -> new GrantStore(context.layout()).ofSession(tr, tenant, session));
  }

  private void submission(TaskRecord task) {
    String id = task.getTask().getId();
    if (plan.add(new Target(RedactionStore.TASK, id, task.getTask().getSessionId(), id))) {
      events(task, event -> event.links().kind().equals(EventKinds.TASK_SUBMITTED));
    }
  }

  private void end(TaskRecord task) {
    String outcome = task.getTask().getOutcomeId();
    String session = task.getTask().getSessionId();
    plan.add(new Target(RedactionStore.OUTCOME, outcome, session, task.getTask().getId()));
    events(
        task,
        event -> event.terminal() || event.links().kind().equals(EventKinds.USER_CANCEL_REQUESTED));
  }

  private void events(TaskRecord task, Predicate<LinkedEvent> which) {
    content(task).events().stream().filter(which).forEach(event -> event(task, event));
  }

  private void event(TaskRecord task, LinkedEvent event) {
    event(event.id(), task.getTask().getSessionId(), task.getTask().getId());
  }

  private void event(EventId id, String stream, String task) {
    plan.add(new Target(RedactionStore.EVENT, id.toString(), stream, task));
  }

  private void steps(TaskRecord task, Predicate<LinkedStep> which) {
    content(task).steps().stream()
        .filter(which)
        .forEach(step -> plan.add(new Step(task.getTask().getId(), step.key())));
  }

  private TaskContent content(TaskRecord task) {
    TaskContent known = contents.get(task.getTask().getId());
    if (known != null) {
      return known;
    }
    long events = task.getNextSequence();
    if (events > MAX_EVENTS) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "The content belongs to a task of very many events; name the whole task.")
          .with("task_id", task.getTask().getId())
          .with("max_events", MAX_EVENTS)
          .blaming("items");
    }
    if (contents.values().stream().mapToLong(one -> one.events().size()).sum() + events
        > MAX_EVENTS) {
      contents.clear();
    }
    TaskContent read = TaskContent.read(context, tenant, task);
    contents.put(task.getTask().getId(), read);
    return read;
  }

  /** Returns a task that has ended: its log and its steps never grow again. */
  private TaskRecord ended(String id, String param) {
    TaskRecord task =
        tasks.computeIfAbsent(
            id,
            key ->
                context
                    .store()
                    .read(tr -> new TaskStore(context.layout()).find(tr, tenant, key))
                    .orElseThrow(
                        () -> new IllegalStateException("content belongs to no stored task")));
    if (!TaskLifecycle.terminal(task.getTask().getStatus())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The content belongs to a task that has not ended; cancel the task, or wait until it"
                  + " has ended.")
          .with("task_id", id)
          .with("status", TaskLifecycle.spell(task.getTask().getStatus()))
          .blaming(param);
    }
    return task;
  }
}
