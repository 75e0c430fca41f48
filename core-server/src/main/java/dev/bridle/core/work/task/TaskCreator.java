package dev.bridle.core.work.task;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionCreator;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import java.util.List;

/** Creates tasks and their sessions for other features, as the current caller. */
public final class TaskCreator {
  private final SessionStore sessions;
  private final SessionCreator sessionCreator;
  private final TaskSubmission tasks;

  public TaskCreator(CoreContext context, TaskSubmission tasks) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.sessionCreator = new SessionCreator(context);
    this.tasks = tasks;
  }

  /** Returns the session of a task; creates one if the spec names none. */
  public Session session(Write write, TaskSpec spec) {
    if (spec.session().isPresent()) {
      return sessions.need(write.tr(), Caller.current(), spec.session().get());
    }
    CreateSessionRequest.Builder made =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(spec.workspace())
            .setMetadata(spec.metadata());
    spec.persona().ifPresent(made::setPersonaId);
    return sessionCreator.create(write, made.build());
  }

  /** Submits the task of a spec in its session. */
  public Task submit(Write write, Session session, TaskSpec spec) {
    return tasks.submit(
        write,
        session,
        request(session, spec),
        spec.submitters().isEmpty() ? List.of(write.actor()) : spec.submitters());
  }

  /**
   * Submits the task of a spec in its session, after those that were submitted there like this
   * before.
   */
  public Task submitInOrder(Write write, Session session, TaskSpec spec) {
    return tasks.submitInOrder(write, session, request(session, spec));
  }

  private static SubmitTaskRequest request(Session session, TaskSpec spec) {
    SubmitTaskRequest.Builder request =
        SubmitTaskRequest.newBuilder()
            .setSessionId(session.getId())
            .setInput(SubmitTaskInput.newBuilder().setMessage(spec.message()))
            .setMetadata(spec.metadata());
    spec.persona().ifPresent(request::setPersonaId);
    return request.build();
  }
}
