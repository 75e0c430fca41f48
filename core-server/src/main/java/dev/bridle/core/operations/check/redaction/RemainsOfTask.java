package dev.bridle.core.operations.check.redaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.redaction.ErasedContent;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StepStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for content in the events and steps of an ended task, which don't change any more except
 * that redactions erase them, and in copies of messages; in short transactions.
 */
final class RemainsOfTask {
  private static final int ROWS_AT_ONCE = 200;
  private static final int COPIES_AT_ONCE = 20;
  private static final long BYTES_AT_ONCE = 2L << 20;

  private final CheckScope scope;
  private final LogRows log;
  private final StepStore steps;

  RemainsOfTask(CheckScope scope) {
    this.scope = scope;
    this.log = new LogRows(scope);
    this.steps = new StepStore(scope.layout());
  }

  /** Says which event of a mark's task has a payload or a salt; empty: none. */
  Optional<String> event(RedactedResourceRecord mark) {
    KeyRange range =
        new KeyRange(
            log.pointer(mark.getTaskId(), 0), log.pointer(mark.getTaskId(), Long.MAX_VALUE));
    List<KeyValue> rows;
    do {
      KeyRange from = range;
      rows = scope.store().read(tr -> tr.getRange(from, ROWS_AT_ONCE));
      for (KeyValue row : rows) {
        Optional<String> left = scope.store().read(tr -> left(tr, mark, row));
        if (left.isPresent()) {
          return left;
        }
        range = new KeyRange(KeyRange.after(row.key()), range.end());
      }
    } while (rows.size() == ROWS_AT_ONCE);
    return Optional.empty();
  }

  private Optional<String> left(ReadTransaction tr, RedactedResourceRecord mark, KeyValue row) {
    if (row.value().length != EventId.BYTES) {
      return Optional.empty(); // EventCheck reports it.
    }
    EventId id = EventId.fromBytes(row.value());
    byte[] body = log.body(mark.getStream(), id);
    return tr.get(body)
        .flatMap(first -> log.parse(tr, body, first))
        .filter(event -> !event.getPayload().isEmpty() || !event.getSalt().isEmpty())
        .map(event -> "the event " + id + " still has its payload or salt.");
  }

  /** Returns the first result for a step of a mark's task. */
  <T> Optional<T> step(RedactedResourceRecord mark, Function<StepRecord, Optional<T>> found) {
    String after = "";
    boolean more = true;
    while (more) {
      String from = after;
      StepStore.Page page =
          scope
              .store()
              .read(
                  tr ->
                      steps.list(
                          tr, scope.tenant(), mark.getTaskId(), from, ROWS_AT_ONCE, BYTES_AT_ONCE));
      for (byte[] bytes : page.records()) {
        Optional<StepRecord> step = parse(bytes);
        if (step.isEmpty()) {
          return Optional.empty(); // StepsCheck reports it.
        }
        Optional<T> result = found.apply(step.get());
        if (result.isPresent()) {
          return result;
        }
        after = step.get().getStep().getStepKey();
      }
      more = page.more();
    }
    return Optional.empty();
  }

  /** Says which copy of a mark's message in a forked session was not erased; empty: none. */
  Optional<String> copy(RedactedResourceRecord mark, ErasedContent erased) {
    RecordStore<Message> messages = MessageStore.MESSAGE.store(scope.layout());
    RedactionStore redactions = new RedactionStore(scope.layout());
    Optional<byte[]> after = Optional.empty();
    do {
      Optional<byte[]> from = after;
      RecordStore.Batch<Message> page =
          scope
              .store()
              .read(
                  tr ->
                      messages.batch(
                          tr,
                          scope.tenant(),
                          MessageStore.COPIES,
                          mark.getId(),
                          from,
                          COPIES_AT_ONCE));
      for (Message copy : page.records()) {
        // A copy that was made later is one of the erased message, and has no mark.
        if (!isMarked(redactions, copy) && !erased.of(copy).equals(copy)) {
          return Optional.of("its copy " + copy.getId() + " was not.");
        }
      }
      after = page.next();
    } while (after.isPresent());
    return Optional.empty();
  }

  private boolean isMarked(RedactionStore redactions, Message message) {
    return scope
        .store()
        .read(
            tr -> redactions.resource(tr, scope.tenant(), RedactionStore.MESSAGE, message.getId()))
        .isPresent();
  }

  private static Optional<StepRecord> parse(byte[] bytes) {
    try {
      return Optional.of(StepRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
