package dev.bridle.core.work.session;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.session.v1.Session;

/** Appends messages to a session outside any task. */
public final class SessionMessages {
  private final MessageStore messages;
  private final Events events;

  public SessionMessages(CoreContext context) {
    this.messages = new MessageStore(context.layout());
    this.events = context.events();
  }

  /** Appends a message and emits its event; {@code conflict} if the session is closed. */
  public Message append(Write write, Session session, MessageInput input) {
    SessionStore.needOpen(session);
    Message message = messages.make(write, session.getWorkspaceId(), session.getId(), "", input);
    messages.insert(
        write,
        message,
        events.ofSession(
            write, session.getWorkspaceId(), session.getId(), MessageStore.appendedEvent(message)));
    return message;
  }
}
