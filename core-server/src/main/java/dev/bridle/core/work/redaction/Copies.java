package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the copies of messages in forked sessions. */
final class Copies {
  private Copies() {}

  /**
   * Returns the id of a message, and those of its copies and of their copies, up to one more than a
   * plan can hold. Reads with a conflict, unless it is given a snapshot.
   */
  static List<String> of(ReadTransaction tr, CoreContext context, String tenant, String original) {
    RecordStore<Message> messages = MessageStore.MESSAGE.store(context.layout());
    List<String> ids = new ArrayList<>(List.of(original));
    messages
        .page(
            tr,
            tenant,
            MessageStore.COPIES,
            original,
            Optional.empty(),
            RedactionPlan.MAX_TARGETS,
            false)
        .stream()
        .map(IndexRow::id)
        .forEach(ids::add);
    return ids;
  }
}
