package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.SessionStateRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.GetSessionStateResponse;
import dev.bridle.worker.v1.SessionState;
import dev.bridle.worker.v1.SetSessionStateRequest;
import dev.bridle.worker.v1.SetSessionStateResponse;
import java.util.Optional;

/**
 * What agents keep about sessions, read and written by the worker that works on one of their tasks:
 *
 * <pre>
 * tenant / RECORD / SESSION_STATE, session/agent → SessionStateRecord
 * </pre>
 */
public final class SessionStates {
  /** The definition of agents' session states. */
  public static final RecordDef<SessionStateRecord> SESSION_STATE =
      RecordDef.of(20, "session state", SessionStateRecord.parser())
          .id(record -> id(record.getSessionId(), record.getAgentId()))
          .refersTo("session", SessionStateRecord::getSessionId)
          .build();

  private final KeyValueStore store;
  private final Commands commands;
  private final TaskStore tasks;
  private final RecordStore<SessionStateRecord> records;

  SessionStates(CoreContext context, TaskStore tasks) {
    this.store = context.store();
    this.commands = context.commands();
    this.tasks = tasks;
    this.records = SESSION_STATE.store(context.layout());
  }

  static String id(String session, String agent) {
    return session + "/" + agent;
  }

  GetSessionStateResponse get(Caller caller, GetSessionStateRequest request) {
    return store.read(
        tr -> {
          GetSessionStateResponse.Builder response = GetSessionStateResponse.newBuilder();
          TaskRecord task = need(tr, caller, request.getTaskId(), request.getFence());
          find(tr, caller.tenant(), task)
              .filter(SessionStateRecord::hasState)
              .ifPresent(kept -> response.setState(kept.getState()));
          return response.build();
        });
  }

  SetSessionStateResponse set(Caller caller, SetSessionStateRequest request) {
    return commands.fenced(
        FencedWrite.SESSION_STATE,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord task = need(write.tr(), caller, request.getTaskId(), request.getFence());
          Optional<SessionStateRecord> kept = find(write.tr(), write.tenant(), task);
          SessionState state = request.getState();
          if (kept.isPresent()
              && kept.get().getState().getRevision() >= request.getState().getRevision()) {
            return answer(kept.get().getState());
          }
          SessionStateRecord record =
              kept.map(SessionStateRecord::toBuilder)
                  .orElseGet(SessionStateRecord::newBuilder)
                  .setSessionId(task.getTask().getSessionId())
                  .setAgentId(task.getLease().getAgentId())
                  .setState(state)
                  .build();
          String id = id(record.getSessionId(), record.getAgentId());
          if (kept.isPresent()) {
            records.update(write.tr(), write.tenant(), id, kept.get(), record);
          } else {
            records.insert(write.tr(), write.tenant(), id, record);
          }
          return answer(state);
        });
  }

  private static SetSessionStateResponse answer(SessionState state) {
    return SetSessionStateResponse.newBuilder().setState(state).build();
  }

  private TaskRecord need(ReadTransaction tr, Caller caller, String id, long fence) {
    TaskRecord task = tasks.need(tr, caller, id);
    Fences.needWorking(task, caller, fence);
    HandlerReplays.refuse(task, "has no state of its session: that is not recorded");
    return task;
  }

  private Optional<SessionStateRecord> find(ReadTransaction tr, String tenant, TaskRecord task) {
    return records.get(tr, tenant, id(task.getTask().getSessionId(), task.getLease().getAgentId()));
  }
}
