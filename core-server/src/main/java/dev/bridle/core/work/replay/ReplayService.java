package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Creation;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Subject;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.EventId;
import dev.bridle.task.v1.Task;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Accepts replays of tasks and sessions (protocol section "Replay contract"). */
public final class ReplayService extends ReplayServiceGrpc.ReplayServiceImplBase {
  private final Commands commands;
  private final TaskStores stores;
  private final SessionStore sessions;
  private final ReplaySubmission submission;
  private final SessionReplays sessionReplays;
  // A task's first event shows that it was submitted.
  private final Creation creation;

  public ReplayService(CoreContext context, TaskStores stores) {
    this.commands = context.commands();
    this.stores = stores;
    this.sessions = new SessionStore(context.layout(), context.log());
    this.submission = new ReplaySubmission(context, stores);
    this.sessionReplays = new SessionReplays(context, stores);
    this.creation =
        new Creation(
            "task",
            (tr, tenant, id) ->
                context.log().taskEventId(tr, tenant, id, 0).map(EventId::commitStamp));
  }

  @Override
  public void replayTask(ReplayTaskRequest request, StreamObserver<Task> response) {
    Caller caller = Caller.current();
    ReplayRules.check(request);
    String id = request.getTaskId();
    Replies.send(
        response,
        commands.run(
            request,
            id,
            Subject.of(
                write -> stores.tasks().need(write.tr(), caller, id),
                source -> source.getTask().getWorkspaceId()),
            (write, source) -> submission.submit(write, source, request),
            Optional.of(creation),
            Task.getDefaultInstance()));
  }

  @Override
  public void replaySession(ReplaySessionRequest request, StreamObserver<Task> response) {
    Caller caller = Caller.current();
    SessionReplays.check(request);
    String id = request.getSessionId();
    Replies.send(
        response,
        commands.run(
            request,
            id,
            Subject.of(write -> sessions.need(write.tr(), caller, id), Session::getWorkspaceId),
            (write, session) -> sessionReplays.submit(write, session, request),
            Optional.of(creation),
            Task.getDefaultInstance()));
  }
}
