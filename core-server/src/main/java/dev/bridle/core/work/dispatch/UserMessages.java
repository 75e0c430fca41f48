package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.InboxEntry;
import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.TakeMessagesResponse;
import dev.bridle.worker.v1.UserMessage;
import java.util.List;

/** Hands the messages of users to the workers of their tasks. */
final class UserMessages {
  private final LeaseCalls calls;
  private final MessageStore messages;

  UserMessages(LeaseCalls calls, MessageStore messages) {
    this.calls = calls;
    this.messages = messages;
  }

  /**
   * Records which messages the worker has taken, and returns them with those that wait. A message
   * that a redaction has erased since is returned as it is now.
   */
  TakeMessagesResponse take(Caller caller, TakeMessagesRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.TAKE_MESSAGES, request.getTaskId(), request.getFence(), List.of()),
        batch -> {
          Fences.needWorking(batch.before(), caller, request.getFence());
          TaskChange change = batch.change();
          if (change.inbox().take(request.getTakenThrough())) {
            change.save();
          }
          TakeMessagesResponse.Builder response = TakeMessagesResponse.newBuilder();
          for (InboxEntry entry : change.record().getInboxList()) {
            response.addMessages(
                UserMessage.newBuilder()
                    .setSequence(entry.getSequence())
                    .setMode(entry.getMode())
                    .setMessage(message(change, entry))
                    .setTaken(entry.getTaken()));
          }
          return response.build();
        });
  }

  private Message message(TaskChange change, InboxEntry entry) {
    return messages
        .find(change.write().tr(), change.write().tenant(), entry.getMessageId())
        .orElseGet(Message::getDefaultInstance);
  }
}
