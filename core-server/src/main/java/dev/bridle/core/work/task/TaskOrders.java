package dev.bridle.core.work.task;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.NewSessions;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.SubmitSessionTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.Task;

/** Makes tasks that parts of the core order, as the current caller. */
public final class TaskOrders {
  private final SessionStore sessions;
  private final NewSessions newSessions;
  private final TaskSubmission tasks;

  public TaskOrders(CoreContext context, TaskSubmission tasks) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.newSessions = new NewSessions(context);
    this.tasks = tasks;
  }

  /** Returns the session that an order goes into, which is made where it names none. */
  public Session session(Write write, TaskOrder order) {
    if (order.session().isPresent()) {
      return sessions.need(write.tr(), Caller.current(), order.session().get());
    }
    CreateSessionRequest.Builder made =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(order.workspace())
            .setMetadata(order.metadata());
    order.persona().ifPresent(made::setPersonaId);
    return newSessions.make(write, made.build());
  }

  /** Makes the task of an order in its session. */
  public Task submit(Write write, Session session, TaskOrder order) {
    SubmitSessionTaskRequest.Builder request =
        SubmitSessionTaskRequest.newBuilder()
            .setSessionId(session.getId())
            .setInput(SubmitTaskInput.newBuilder().setMessage(order.message()))
            .setMetadata(order.metadata());
    order.persona().ifPresent(request::setPersonaId);
    return tasks.submit(write, session, request.build());
  }
}
