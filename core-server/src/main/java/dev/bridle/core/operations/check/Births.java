package dev.bridle.core.operations.check;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.core.kernel.record.RecordKind.Entry;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPlace;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RowKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes an index row anew. Its place in the order is that of the event that told the record, where
 * the log has it; else it comes last.
 */
final class Births {
  private static final int LOOKED_THROUGH = 2000;

  /** Above the numbers that one transaction gives its rows in practice. */
  private static final int LAST_NUMBER = 0xffff;

  /** Kinds whose records have streams of their own, which begin with the event that told them. */
  private static final Set<RecordKind> WITH_STREAMS =
      Set.of(
          RecordKind.SESSION,
          RecordKind.WORKSPACE,
          RecordKind.PERSONA,
          RecordKind.SKILL,
          RecordKind.QUOTA,
          RecordKind.MEMORY,
          RecordKind.VAULT,
          RecordKind.CONNECTOR,
          RecordKind.SCHEDULE,
          RecordKind.WEBHOOK);

  private final CheckScope scope;
  private final Records records;

  Births(CheckScope scope) {
    this.scope = scope;
    this.records = new Records(scope.rows(), scope.tenant());
  }

  void index(Transaction tr, RecordKind kind, Entry entry, String id) {
    Optional<byte[]> key =
        birth(tr, kind, id)
            .map(
                event ->
                    scope
                        .rows()
                        .recordKeys()
                        .index(scope.tenant(), kind.number(), (int) entry.index(), entry.value())
                        .rowKey(LogPlace.of(event)))
            .filter(free -> tr.get(free).isEmpty());
    if (key.isPresent()) {
      tr.set(key.get(), scope.rows().value(id));
      return;
    }
    long era =
        tr.get(scope.rows().eventKeys().eraKey(scope.tenant()))
            .flatMap(scope.rows()::number)
            .orElse(0L);
    new RecordStore<>(scope.layout(), kind.type())
        .index(
            tr,
            scope.tenant(),
            (int) entry.index(),
            entry.value(),
            new PendingEventId((int) era, LAST_NUMBER, 0),
            id);
  }

  /** Returns the event that told a record, where the log has it. */
  Optional<EventId> birth(ReadTransaction tr, RecordKind kind, String id) {
    return records.find(tr, kind, id).flatMap(record -> birth(tr, kind, id, record));
  }

  private Optional<EventId> birth(
      ReadTransaction tr, RecordKind kind, String id, MessageLite record) {
    if (kind.equals(RecordKind.TASK)) {
      return pointer(tr, id, false);
    }
    if (record instanceof OutcomeRecord outcome) {
      return pointer(tr, outcome.getOutcome().getTaskId(), true);
    }
    if (WITH_STREAMS.contains(kind)) {
      return told(tr, id, "");
    }
    if (record instanceof Message message) {
      return told(tr, message.getSessionId(), "\"message_id\":\"" + id + '"');
    }
    if (record instanceof BranchRecord branch) {
      return told(tr, branch.getOriginSessionId(), "\"branch_id\":\"" + id + '"');
    }
    if (record instanceof ArtifactRecord artifact) {
      String session = artifact.getArtifact().getSessionId();
      return told(tr, session.isEmpty() ? id : session, "\"artifact_id\":\"" + id + '"');
    }
    if (record instanceof PermissionRecord permission) {
      String session = permission.getRequest().getSessionId();
      return told(tr, session, "\"permission_request_id\":\"" + id + '"');
    }
    if (record instanceof PermissionGrantRecord grant) {
      return told(tr, grant.getGrant().getSessionId(), "\"grant_id\":\"" + id + '"');
    }
    return Optional.empty();
  }

  private Optional<EventId> pointer(ReadTransaction tr, String task, boolean last) {
    return tr
        .getRange(scope.rows().eventKeys().taskEventRange(scope.tenant(), task), 1, last)
        .stream()
        .findFirst()
        .flatMap(row -> scope.rows().eventId(row.value()));
  }

  /** Returns the first event of a stream whose body holds a text. */
  private Optional<EventId> told(ReadTransaction tr, String stream, String text) {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
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
