package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.WorkerBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Registers agents, and binds queued tasks without an agent to them. */
final class Registrations {
  /** Whose queue those are in that no agent is bound to. */
  private static final String NO_AGENT = "";

  /** How many queued tasks per shard one registration examines. */
  private static final int WAITING = 1000;

  private final KeyValueStore store;
  private final Commands commands;
  private final WorkerStore workers;
  private final TaskStores stores;
  private final Configurations configurations;

  Registrations(CoreContext context, WorkerStore workers, TaskStores stores) {
    this.store = context.store();
    this.commands = context.commands();
    this.configurations = context.configurations();
    this.workers = workers;
    this.stores = stores;
  }

  void register(Caller caller, RegisterWorkerRequest request) {
    OwnAgents.needRegistrable(request.getAgentId());
    for (WorkerBinding binding : request.getBindingsList()) {
      if (binding.hasWorkspaceId()
          ? !caller.reaches(binding.getWorkspaceId())
          : !caller.workspaces().isEmpty()) {
        throw ProtocolException.notFound("workspace", binding.getWorkspaceId())
            .blaming("bindings.workspace_id");
      }
    }
    WorkerRecord.Builder record =
        WorkerRecord.newBuilder()
            .setAgentId(request.getAgentId())
            .addAllBindings(request.getBindingsList());
    if (request.hasHandler()) {
      record.setHandler(request.getHandler());
    }
    put(caller, record.build());
    waiting(caller.tenant(), NO_AGENT).forEach(task -> bind(caller, task, NO_AGENT));
  }

  void unregister(Caller caller, UnregisterWorkerRequest request) {
    String agentId = request.getAgentId();
    OwnAgents.needRegistrable(agentId);
    put(caller, WorkerRecord.newBuilder().setAgentId(agentId).build());
    if (request.getRebindsTasks()) {
      waiting(caller.tenant(), agentId).forEach(task -> bind(caller, task, agentId));
    }
  }

  /**
   * Returns what a worker declares about its handler: in its hello, else in its agent's
   * registration.
   */
  Optional<HandlerInfo> handlerOf(Caller caller, LeaseHello hello) {
    if (hello.hasHandler() || hello.getAgentId().isEmpty()) {
      return Optional.of(hello.getHandler()).filter(declared -> hello.hasHandler());
    }
    return store
        .read(tr -> workers.find(tr, caller.tenant(), hello.getAgentId()))
        .filter(WorkerRecord::hasHandler)
        .map(WorkerRecord::getHandler);
  }

  private void put(Caller caller, WorkerRecord record) {
    commands.once(
        caller.tenant(),
        caller.actor(),
        write -> {
          Optional<WorkerRecord> before =
              workers.find(write.tr(), write.tenant(), record.getAgentId());
          before.ifPresent(known -> needReached(caller, known));
          if (before.isEmpty()
              && workers.all(write.tr(), write.tenant()).size() >= WorkerStore.MAX_AGENTS) {
            throw ProtocolException.invalid(
                "agent_id",
                "exceeds the limit of " + WorkerStore.MAX_AGENTS + " registered agents");
          }
          workers.put(write, record);
          return record;
        });
  }

  /** A caller may only change an agent whose workspaces it has access to. */
  private static void needReached(Caller caller, WorkerRecord agent) {
    boolean reached =
        agent.getBindingsList().stream()
            .allMatch(
                binding ->
                    caller.workspaces().isEmpty()
                        || (binding.hasWorkspaceId() && caller.reaches(binding.getWorkspaceId())));
    if (!reached) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The agent id is registered for workspaces that this credential does not reach;"
                  + " use another agent id.")
          .blaming("agent_id");
    }
  }

  private List<QueuedTask> waiting(String tenant, String agentId) {
    List<QueuedTask> waiting = new ArrayList<>();
    for (int shard = 0; shard < TaskQueue.SHARDS; shard++) {
      int at = shard;
      waiting.addAll(store.read(tr -> stores.queue().waiting(tr, at, agentId, tenant, WAITING)));
    }
    return waiting;
  }

  /**
   * Binds a task to the agent that it fits to.
   *
   * @param bound the agent that it is bound to now
   */
  private void bind(Caller caller, QueuedTask task, String bound) {
    commands.fenced(
        FencedWrite.BIND_AGENT,
        caller.tenant(),
        caller.actor(),
        write -> {
          Optional<TaskRecord> before =
              stores.tasks().find(write.tr(), write.tenant(), task.task());
          if (before.isEmpty() || !before.get().hasQueue()) {
            return false;
          }
          var found = before.get().getTask();
          if (!caller.reaches(found.getWorkspaceId())) {
            return false;
          }
          Optional<String> agent =
              WorkerStore.bind(
                  configurations.of(write.tr(), write.tenant()),
                  found.getWorkspaceId(),
                  found.hasPersonaId() ? Optional.of(found.getPersonaId()) : Optional.empty());
          if (agent.orElse(NO_AGENT).equals(bound) || !found.getAssignedAgentId().equals(bound)) {
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          change.dequeue();
          agent.ifPresentOrElse(change::bindAgent, change::unbindAgent);
          change.enqueue("", 0);
          change.save();
          return true;
        });
  }
}
