package dev.bridle.core.operations.check.rule;

import dev.bridle.core.kernel.record.Origin;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.check.walk.KeyShapes;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RowKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Rebuilds a missing index row. Its position in the index is that of the record's first event; if
 * the log no longer has the event, the row comes last.
 */
public final class IndexRowRebuilder {
  private static final int LOOKED_THROUGH = 2000;

  /** Greater than the row numbers that one transaction assigns in practice. */
  private static final int LAST_NUMBER = 0xffff;

  private final CheckScope scope;
  private final Records records;

  public IndexRowRebuilder(CheckScope scope) {
    this.scope = scope;
    this.records = new Records(scope.rows(), scope.tenant());
  }

  public void rebuild(Transaction tr, RecordDef<?> kind, Entry entry, String id) {
    Optional<byte[]> key =
        firstEvent(tr, kind, id)
            .map(
                event ->
                    scope
                        .rows()
                        .recordKeys()
                        .index(scope.tenant(), kind.number(), (int) entry.index(), entry.value())
                        .rowKey(LogPosition.of(event)))
            .filter(free -> tr.get(free).isEmpty());
    if (key.isPresent()) {
      tr.set(key.get(), scope.rows().value(id));
      return;
    }
    long era =
        tr.get(scope.rows().eventKeys().eraKey(scope.tenant()))
            .flatMap(scope.rows()::number)
            .orElse(0L);
    kind.store(scope.layout())
        .index(
            tr,
            scope.tenant(),
            (int) entry.index(),
            entry.value(),
            new PendingEventId((int) era, LAST_NUMBER, 0),
            id);
  }

  /** Returns the first event of a record, if the log has it. */
  public Optional<EventId> firstEvent(ReadTransaction tr, RecordDef<?> kind, String id) {
    return records
        .read(tr, kind, id)
        .flatMap(StoredRecord::origin)
        .flatMap(
            origin ->
                origin instanceof Origin.OfTask of
                    ? pointer(tr, of.task(), of.last())
                    : first(tr, (Origin.OfStream) origin));
  }

  private Optional<EventId> pointer(ReadTransaction tr, String task, boolean last) {
    return tr
        .getRange(scope.rows().eventKeys().taskEventRange(scope.tenant(), task), 1, last)
        .stream()
        .findFirst()
        .flatMap(row -> scope.rows().eventId(row.value()));
  }

  /** Returns the first event of a stream whose body contains a text. */
  private Optional<EventId> first(ReadTransaction tr, Origin.OfStream of) {
    String stream = of.stream();
    byte[] wanted = of.text().getBytes(StandardCharsets.UTF_8);
    KeyRange range = scope.rows().eventKeys().bodyRange(scope.tenant(), stream);
    List<KeyValue> events = tr.getRange(range, wanted.length == 0 ? 1 : LOOKED_THROUGH);
    for (KeyValue row : events) {
      Optional<RowKey> key = scope.rows().parse(row.key());
      if (key.isPresent() && KeyShapes.fits(key.get()) && holds(row.value(), wanted)) {
        int partition = scope.rows().partitionOf(stream, scope.partitions());
        return Optional.of(
            scope.rows().eventId(key.get().number(1), key.get().stamp(2), partition));
      }
    }
    return Optional.empty();
  }

  private static boolean holds(byte[] body, byte[] text) {
    for (int at = 0; at + text.length <= body.length; at++) {
      int matched = 0;
      while (matched < text.length && body[at + matched] == text[matched]) {
        matched++;
      }
      if (matched == text.length) {
        return true;
      }
    }
    return false;
  }
}
