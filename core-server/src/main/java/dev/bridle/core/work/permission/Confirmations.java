package dev.bridle.core.work.permission;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.ConfirmationIntake;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.record.v1.PermissionRecord;
import java.util.Optional;
import java.util.function.Supplier;

/** Applies answers to permission requests that are sent as messages of their tasks. */
public final class Confirmations implements ConfirmationIntake {
  private static final String SCOPE = "permissions:respond";

  private final PermissionStore store;
  private final Answers answers;

  Confirmations(PermissionStore store, Answers answers) {
    this.store = store;
    this.answers = answers;
  }

  @Override
  public void accept(TaskChange change, MessageInput message, Supplier<String> appendMessage) {
    Caller caller = Caller.current();
    if (!caller.holds(SCOPE)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED,
              "The credential lacks the scope for answering permission requests.")
          .with("scope", SCOPE);
    }
    RespondPermissionRequestRequest said = ConfirmationPart.of(message);
    PermissionRecord record = asked(change, said.getRequestId());
    var unused = answers.applyOwn(change, record, said, Optional.of(appendMessage.get()));
  }

  private PermissionRecord asked(TaskChange change, String named) {
    String id = named.isEmpty() ? change.record().getPermissionRequestId() : named;
    if (id.isEmpty()) {
      throw TaskLifecycle.refused(change.status());
    }
    return store
        .find(change.write().tr(), change.write().tenant(), id)
        .filter(found -> found.getRequest().getTaskId().equals(change.id()))
        .orElseThrow(
            () ->
                ProtocolException.notFound("permission_request", id)
                    .blaming("message.parts.value.request_id"));
  }
}
