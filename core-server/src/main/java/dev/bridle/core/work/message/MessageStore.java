package dev.bridle.core.work.message;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Stores messages. A session's are ordered by their events, so that concurrent tasks of one session
 * don't conflict on a counter:
 *
 * <pre>
 * tenant / RECORD / MESSAGE, id                            → Message
 * tenant / INDEX / MESSAGE, SESSION, session, event order  → id
 * tenant / INDEX / MESSAGE, COPIES, original, event order → id of a copy of that message
 * </pre>
 */
public final class MessageStore {
  /** The index of the messages of a session. */
  public static final int MESSAGES_BY_SESSION = 0;

  /** The index of the copies of a message in forked sessions, and of their copies. */
  public static final int COPIES = 1;

  /** The definition of messages. */
  public static final RecordDef<Message> MESSAGE =
      RecordDef.of(4, "message", Message.parser())
          .id(Message::getId)
          .indexed(MESSAGES_BY_SESSION, Message::getSessionId)
          .indexedWhere(Message::hasCopyOf, COPIES, Message::getCopyOf)
          .belongsTo("session", Message::getSessionId)
          .belongsTo("task", Message::getTaskId)
          .liesIn(message -> "", Message::getSessionId)
          .firstEventIn(Message::getSessionId, "message_id")
          .exported()
          .build();

  /** The index of the messages of a session. */
  public static final int SESSION = MESSAGES_BY_SESSION;

  private final RecordStore<Message> records;

  public MessageStore(KeyLayout layout) {
    this.records = MESSAGE.store(layout);
  }

  /** Returns a message. */
  public Optional<Message> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /** Returns a message with its workspace; earlier versions stored messages without it. */
  public static Message inWorkspace(Message message, String workspace) {
    return message.hasWorkspaceId()
        ? message
        : message.toBuilder().setWorkspaceId(workspace).build();
  }

  /**
   * Returns the messages of the first of several ids, in that order, up to about {@code maxBytes},
   * and at least one.
   */
  public RecordStore.Some<Message> some(
      ReadTransaction tr, String tenant, List<String> ids, long maxBytes) {
    return records.getSome(tr, tenant, ids, maxBytes);
  }

  /**
   * Builds a message of a session, and of a task if {@code task} is not empty. {@link #insert}
   * stores it.
   *
   * @param workspace the session's workspace
   */
  public Message make(
      Write write, String workspace, String session, String task, MessageInput input) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Message.Builder message =
        Message.newBuilder()
            .setId(write.id("message"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(input.getMetadata())
            .setSessionId(session)
            .setWorkspaceId(workspace)
            .setRole(input.getRole())
            .addAllParts(HiddenContent.sealed(write, input.getPartsList()));
    if (!task.isEmpty()) {
      message.setTaskId(task);
    }
    return message.build();
  }

  /**
   * Stores a message, ordered by its event.
   *
   * @param event the event
   */
  public void insert(Write write, Message message, PendingEventId event) {
    records.insert(write.tr(), write.tenant(), message.getId(), message);
    MESSAGE.index(records, write.tr(), write.tenant(), message, event);
  }

  /** Returns the event of an appended message. */
  public static EventDraft appendedEvent(Message message) {
    String kind =
        switch (message.getRole()) {
          case ROLE_USER -> EventKinds.USER_MESSAGE;
          case ROLE_AGENT, ROLE_ASSISTANT -> EventKinds.AGENT_MESSAGE;
          default -> EventKinds.SESSION_MESSAGE_APPENDED;
        };
    return EventDraft.of(kind, facts(message));
  }

  /**
   * Returns the payload of a message for an event of another kind. Parts that are not public are
   * left out of it for everyone: those who may see them read the message.
   */
  public static Payload facts(Message message) {
    List<Part> given = message.getPartsList();
    List<Part> shown = HiddenContent.publicOf(given);
    Payload facts =
        Payload.of()
            .text("message_id", message.getId())
            .text("role", spell(message.getRole()))
            .json("parts", ResourceJson.list(shown));
    return shown.equals(given) ? facts : facts.leavingOut();
  }

  private static String spell(Role role) {
    return role.name().substring("ROLE_".length()).toLowerCase(Locale.ROOT);
  }

  /** Returns the records. */
  public RecordStore<Message> records() {
    return records;
  }
}
