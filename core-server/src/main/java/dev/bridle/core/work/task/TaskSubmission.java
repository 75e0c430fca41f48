package dev.bridle.core.work.task;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.trace.TraceId;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.message.v1.Message;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.SubmittedPersona;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;
import java.util.Optional;

/** Accepts tasks (protocol section "Task"). A task is durable once the transaction commits. */
public final class TaskSubmission {
  private final TaskStores stores;
  private final MessageStore messages;
  private final Configurations configurations;
  private final PersonaBounds bounds;
  private final BranchStore branches;
  private final ChildTasks children;
  private final boolean issuesReceipts;

  public TaskSubmission(CoreContext context, TaskStores stores) {
    this.issuesReceipts = context.seals().hasKey();
    this.stores = stores;
    this.messages = new MessageStore(context.layout());
    this.configurations = context.configurations();
    this.bounds = new PersonaBounds(new TenantRecords<>(context.layout(), Personas.PERSONA));
    this.branches = new BranchStore(context.layout(), context.events());
    this.children = new ChildTasks(context.layout());
  }

  /** Creates and queues a task in a session that the caller can access. */
  public Task submit(Write write, Session session, SubmitTaskRequest request) {
    return submit(write, session, request, List.of(write.actor()));
  }

  /**
   * Creates and queues a task in a session that the caller can access.
   *
   * @param submitters the actors who count as having submitted it, on whose behalf the caller acts
   */
  Task submit(Write write, Session session, SubmitTaskRequest request, List<String> submitters) {
    return submit(write, session, request, DirectLeases.Offer.NONE, write.id("task"), submitters);
  }

  /**
   * Creates and queues a task in a session that the caller can access. Workers are given the tasks
   * that were submitted to a session like this in the order of their commits, which the queue keeps
   * within a shard alone: so they share one.
   */
  public Task submitInOrder(Write write, Session session, SubmitTaskRequest request) {
    int shard = TaskQueue.shardOf(session.getId());
    String id = write.id("task");
    while (TaskQueue.shardOf(id) != shard) {
      id = write.id("task");
    }
    return submit(write, session, request, DirectLeases.Offer.NONE, id, List.of(write.actor()));
  }

  /**
   * Creates a task in a session that the caller can access, and queues it unless a worker takes the
   * offer. The answer shows the task as it was submitted either way.
   */
  Task submit(Write write, Session session, SubmitTaskRequest request, DirectLeases.Offer offer) {
    return submit(write, session, request, offer, write.id("task"), List.of(write.actor()));
  }

  private Task submit(
      Write write,
      Session session,
      SubmitTaskRequest request,
      DirectLeases.Offer offer,
      String id,
      List<String> submitters) {
    SessionStore.needOpen(session);
    checkReferences(write, session, request);
    Optional<TaskRecord> parent = parent(write, request);
    parent.ifPresent(found -> children.count(write, found));
    List<String> all =
        parent.map(found -> TaskCreationRules.submitters(submitters, found)).orElse(submitters);
    Optional<Message> message =
        request.getInput().hasMessage()
            ? Optional.of(
                messages.make(
                    write,
                    session.getWorkspaceId(),
                    session.getId(),
                    id,
                    request.getInput().getMessage()))
            : Optional.empty();
    TaskInput input =
        message
            .map(made -> TaskInput.newBuilder().setMessage(made).build())
            .orElseGet(() -> TaskInput.newBuilder().setJson(request.getInput().getJson()).build());
    Configuration configuration = configurations.of(write.tr(), write.tenant());
    Optional<Persona> persona = persona(write, configuration, session, request);
    Task submitted = task(write, configuration, session, request, id, persona.map(Persona::getId));
    TaskChange change = stores.change(write, record(all, submitted, persona, request));
    stores.quotas().admit(change, configuration);
    Task task = change.record().getTask();
    PendingEventId last =
        change.emit(EventDraft.of(EventKinds.TASK_SUBMITTED, facts(task, message, input)));
    if (message.isPresent()) {
      last = change.emit(MessageStore.appendedEvent(message.get()));
      messages.insert(write, message.get(), last);
      change.counts().addMessage();
    }
    boolean granted = offer.grant(change);
    if (!granted) {
      change.enqueue("", 0);
    }
    TaskRecord made = change.saveNew(input);
    if (granted) {
      offer.granted(made.getTask().toBuilder().setInput(input).build(), made);
      // Clients use it as a cursor: the start of the task comes after it.
      write.appended(last);
    }
    return task.toBuilder().setInput(input).build();
  }

  private Task task(
      Write write,
      Configuration configuration,
      Session session,
      SubmitTaskRequest request,
      String id,
      Optional<String> persona) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Task.Builder task =
        Task.newBuilder()
            .setId(id)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setSessionId(session.getId())
            .setWorkspaceId(session.getWorkspaceId())
            .setStatus(TaskStatus.TASK_STATUS_SUBMITTED)
            .setCreatedBy(write.actor());
    if (request.hasParentTaskId()) {
      task.setParentTaskId(request.getParentTaskId());
    }
    if (request.hasBranchId() || session.hasBranchId()) {
      task.setBranchId(request.hasBranchId() ? request.getBranchId() : session.getBranchId());
    }
    persona.ifPresent(task::setPersonaId);
    WorkerStore.bind(configuration, session.getWorkspaceId(), persona)
        .ifPresent(task::setAssignedAgentId);
    return task.build();
  }

  /** Returns the persona of a task: the one that it names, or else its session's. */
  private Optional<Persona> persona(
      Write write, Configuration configuration, Session session, SubmitTaskRequest request) {
    if (!request.hasPersonaId() && !session.hasPersonaId()) {
      return Optional.empty();
    }
    String id = request.hasPersonaId() ? request.getPersonaId() : session.getPersonaId();
    Persona persona =
        configuration
            .find(Personas.PERSONA, id)
            .orElseThrow(() -> ProtocolException.notFound("persona", id).blaming("persona_id"));
    if (persona.getReceiptPolicy() == ReceiptPolicy.RECEIPT_POLICY_REQUIRED && !issuesReceipts) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The persona requires receipts, which this server can't sign: it has no master key.")
          .blaming("persona_id")
          .with("receipt_policy", "required");
    }
    if (persona.getReceiptPolicy() == ReceiptPolicy.RECEIPT_POLICY_REQUIRED && declines(request)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The persona requires a receipt of each of its tasks.")
          .blaming("receipt")
          .with("receipt_policy", "required");
    }
    bounds.needWithin(write.tr(), Caller.current(), session, persona, "persona_id");
    return Optional.of(persona);
  }

  private static boolean declines(SubmitTaskRequest request) {
    return request.hasReceipt() && !request.getReceipt();
  }

  private static TaskRecord record(
      List<String> submitters, Task task, Optional<Persona> persona, SubmitTaskRequest request) {
    TraceId trace = RequestInfo.currentTrace().orElseGet(() -> TraceId.of(task.getId()));
    TaskRecord.Builder record =
        TaskRecord.newBuilder()
            .setTask(task)
            .setTraceId(trace.hex())
            .setFactsKept(true)
            .setReceiptDeclined(declines(request))
            .setSubmittedBy(submitters.get(0))
            .addAllAlsoSubmittedBy(submitters.subList(1, submitters.size()))
            .setLease(Lease.newBuilder().setState(LeaseState.LEASE_STATE_FREE));
    persona.ifPresent(
        found ->
            record.setPersona(
                SubmittedPersona.newBuilder()
                    .setVersion(found.getVersion())
                    .setAutonomyTier(found.getAutonomyTier())
                    .setReceiptPolicy(found.getReceiptPolicy())));
    return record.build();
  }

  private static Payload facts(Task task, Optional<Message> message, TaskInput input) {
    Payload facts = Payload.of().text("status", TaskLifecycle.spell(task.getStatus()));
    message.ifPresent(made -> facts.text("message_id", made.getId()));
    if (message.isEmpty()) {
      facts.json("input", input.getJson());
    }
    return facts
        .text("persona_id", task.getPersonaId())
        .text("branch_id", task.getBranchId())
        .text("parent_task_id", task.getParentTaskId())
        .text("assigned_agent_id", task.getAssignedAgentId());
  }

  private void checkReferences(Write write, Session session, SubmitTaskRequest request) {
    String workspace = request.getWorkspaceId();
    if (!workspace.isEmpty() && !workspace.equals(session.getWorkspaceId())) {
      throw ProtocolException.invalid("workspace_id", "is not the workspace of the session");
    }
    if (request.hasBranchId()) {
      branches.referenced(
          write.tr(),
          Caller.current(),
          session.getWorkspaceId(),
          request.getBranchId(),
          "branch_id");
    }
  }

  private Optional<TaskRecord> parent(Write write, SubmitTaskRequest request) {
    if (!request.hasParentTaskId()) {
      return Optional.empty();
    }
    String parent = request.getParentTaskId();
    return Optional.of(
        stores
            .tasks()
            .find(write.tr(), write.tenant(), parent)
            .filter(found -> Caller.current().reaches(found.getTask().getWorkspaceId()))
            .orElseThrow(
                () -> ProtocolException.notFound("task", parent).blaming("parent_task_id")));
  }
}
