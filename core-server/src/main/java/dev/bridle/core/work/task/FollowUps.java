package dev.bridle.core.work.task;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.message.v1.Message;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskOrBuilder;

/** Makes a task of a message that waits for the completion of another one. */
final class FollowUps {
  private final SessionStore sessions;
  private final TaskSubmission submission;

  FollowUps(SessionStore sessions, TaskSubmission submission) {
    this.sessions = sessions;
    this.submission = submission;
  }

  /** Submits a task as its predecessor was submitted, and returns its message. */
  Message submit(Write write, TaskOrBuilder before, AppendTaskMessageRequest request) {
    Session session = sessions.need(write.tr(), Caller.current(), before.getSessionId());
    SubmitTaskRequest.Builder task =
        SubmitTaskRequest.newBuilder()
            .setSessionId(before.getSessionId())
            .setInput(SubmitTaskInput.newBuilder().setMessage(request.getMessage()));
    if (before.hasPersonaId()) {
      task.setPersonaId(before.getPersonaId());
    }
    if (before.hasBranchId()) {
      task.setBranchId(before.getBranchId());
    }
    Task submitted = submission.submit(write, session, task.build());
    return submitted.getInput().getMessage();
  }
}
