package dev.bridle.core.operations.check.redaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.StepStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks through the events and steps of an ended task, in short transactions: they don't change any
 * more, except that redactions erase them.
 */
final class RemainsOfTask {
  private static final int ROWS_AT_ONCE = 200;
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

  private static Optional<StepRecord> parse(byte[] bytes) {
    try {
      return Optional.of(StepRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
