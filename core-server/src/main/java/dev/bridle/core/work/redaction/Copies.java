package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/** Finds the copies of messages in forked sessions. */
final class Copies {
  /**
   * The maximum number of copies that are erased together with their message; more are erased piece
   * by piece. A message may have a megabyte.
   */
  static final int MAX_AT_ONCE = 16;

  private Copies() {}

  /**
   * Returns the rows of the first copies of a message, and of their copies, up to one more than are
   * erased with it. A copy's event has the place of its row. Reads with a conflict, unless it is
   * given a snapshot.
   */
  static List<IndexRow> of(
      ReadTransaction tr, CoreContext context, String tenant, String original) {
    return after(tr, context, tenant, original, Optional.empty());
  }

  /** Returns the rows of the copies after a position. */
  static List<IndexRow> after(
      ReadTransaction tr,
      CoreContext context,
      String tenant,
      String original,
      Optional<byte[]> position) {
    RecordStore<Message> messages = MessageStore.MESSAGE.store(context.layout());
    return messages.page(
        tr, tenant, MessageStore.COPIES, original, position, MAX_AT_ONCE + 1, false);
  }
}
