package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.InboxEntry;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.TaskMessageMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of the user to a task that works, as a {@link TaskChange} changes them. They wait by
 * reference, in the order of their events, until a worker has taken them; the newest ones that were
 * taken stay, for a run that has to tell its agent again what it was told.
 */
public final class TaskInbox {
  /** The maximum number of messages that wait. */
  static final int MAX_WAITING = 16;

  /** The maximum size of the messages that wait. */
  static final int MAX_WAITING_BYTES = 256 << 10;

  /** How many messages that were taken are remembered. */
  static final int MAX_TAKEN = 16;

  private final TaskRecord.Builder record;

  TaskInbox(TaskRecord.Builder record) {
    this.record = record;
  }

  /** Returns whether messages of a task wait for its worker. */
  public static boolean waits(TaskRecordOrBuilder task) {
    return task.getInboxList().stream().anyMatch(entry -> !entry.getTaken());
  }

  /**
   * Rejects a further message with {@code rate_limited} where too many wait, and one that no empty
   * inbox had room for with {@code payload_too_large}.
   */
  void needRoom(int bytes) {
    if (bytes > MAX_WAITING_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "The message is too large for a task that works.")
          .with("bytes", bytes)
          .with("max_bytes", MAX_WAITING_BYTES)
          .blaming("message");
    }
    List<InboxEntry> waiting =
        record.getInboxList().stream().filter(entry -> !entry.getTaken()).toList();
    long waitingBytes = waiting.stream().mapToLong(InboxEntry::getBytes).sum();
    if (waiting.size() >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_RATE_LIMITED,
              "The task's worker has not taken the messages that were sent before; wait.")
          .with("waiting", waiting.size())
          .with("max_waiting", MAX_WAITING)
          .with("max_bytes", MAX_WAITING_BYTES);
    }
  }

  /** Adds a message that waits. */
  void add(String messageId, long sequence, TaskMessageMode mode, int bytes) {
    record.addInbox(
        InboxEntry.newBuilder()
            .setMessageId(messageId)
            .setSequence(sequence)
            .setMode(mode)
            .setBytes(bytes));
  }

  /** Records the messages up to a sequence as taken. Returns whether that changed anything. */
  public boolean take(long through) {
    List<InboxEntry> before = record.getInboxList();
    if (before.stream().noneMatch(entry -> !entry.getTaken() && entry.getSequence() <= through)) {
      return false;
    }
    List<InboxEntry> entries = new ArrayList<>();
    for (InboxEntry entry : before) {
      entries.add(
          entry.getSequence() <= through ? entry.toBuilder().setTaken(true).build() : entry);
    }
    long taken = entries.stream().filter(InboxEntry::getTaken).count();
    record
        .clearInbox()
        .addAllInbox(entries.subList((int) Math.max(0, taken - MAX_TAKEN), entries.size()));
    return true;
  }
}
