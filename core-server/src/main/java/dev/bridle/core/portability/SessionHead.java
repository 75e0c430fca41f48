package dev.bridle.core.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.task.TaskLifecycle;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All of a session that can still change, read in one transaction. The rest never changes, so it
 * can be read piece by piece afterwards: what committed after the high water is left out.
 *
 * @param record the session's record
 * @param session the session
 * @param highWater its newest event
 * @param floor its oldest retained event, where some were dropped
 * @param next the sequence of its next event
 * @param live its tasks that have not ended
 * @param empty its artifacts that have no content yet
 */
@SuppressWarnings("ArrayRecordComponent") // Written once, compared by nobody.
record SessionHead(
    byte[] record,
    Session session,
    EventId highWater,
    Optional<EventId> floor,
    long next,
    Map<String, LiveTask> live,
    Map<String, byte[]> empty) {
  private static final int ROWS_AT_ONCE = 500;
  private static final long MAX_LIVE_BYTES = 64L << 20;

  static Optional<SessionHead> read(
      ReadTransaction tr, Stored stored, String tenant, String id, Optional<String> onlyTask) {
    Optional<byte[]> record = stored.records().get(tr, tenant, RecordKind.SESSION.number(), id);
    Optional<EventId> last = stored.log().lastEventId(tr, tenant, id);
    if (record.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    SessionHead head =
        new SessionHead(
            record.get(),
            Stored.parse(Session.parser(), record.get()),
            last.get(),
            stored.log().floor(tr, tenant, id),
            stored.events().sequence(tr, tenant, "session", id),
            new HashMap<>(),
            new HashMap<>());
    if (onlyTask.isPresent()) {
      head.noteTask(tr, stored, tenant, onlyTask.get());
      head.noteAll(
          tr, stored, tenant, RecordKind.ARTIFACT, RecordKind.ARTIFACTS_BY_TASK, onlyTask.get());
    } else {
      head.noteAll(tr, stored, tenant, RecordKind.TASK, RecordKind.BY_SESSION, id);
      head.noteAll(tr, stored, tenant, RecordKind.ARTIFACT, RecordKind.BY_SESSION, id);
    }
    return Optional.of(head);
  }

  private void noteAll(
      ReadTransaction tr, Stored stored, String tenant, RecordKind kind, int index, String value) {
    Optional<RecordRows.Row> last = Optional.empty();
    List<RecordRows.Row> page = page(tr, stored, tenant, kind, index, value, last);
    while (!page.isEmpty()) {
      for (RecordRows.Row row : page) {
        if (kind == RecordKind.TASK) {
          noteTask(tr, stored, tenant, row.id());
        } else {
          noteArtifact(tr, stored, tenant, row.id());
        }
      }
      last = Optional.of(page.get(page.size() - 1));
      page = page(tr, stored, tenant, kind, index, value, last);
    }
  }

  private static List<RecordRows.Row> page(
      ReadTransaction tr,
      Stored stored,
      String tenant,
      RecordKind kind,
      int index,
      String value,
      Optional<RecordRows.Row> last) {
    return stored
        .records()
        .page(
            tr, tenant, kind.number(), index, value, last.map(RecordRows.Row::place), ROWS_AT_ONCE);
  }

  private void noteTask(ReadTransaction tr, Stored stored, String tenant, String id) {
    stored
        .records()
        .get(tr, tenant, RecordKind.TASK.number(), id)
        .map(bytes -> Stored.parse(TaskRecord.parser(), bytes))
        .filter(task -> !TaskLifecycle.terminal(task.getTask().getStatus()))
        .ifPresent(task -> live.put(id, LiveTask.read(tr, stored, tenant, task)));
    if (live.values().stream().mapToLong(LiveTask::bytes).sum() > MAX_LIVE_BYTES) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
          "Session "
              + session.getId()
              + " has live tasks of more than 64 MiB in all, which can't be read consistently;"
              + " export it once some of them have ended.");
    }
  }

  private void noteArtifact(ReadTransaction tr, Stored stored, String tenant, String id) {
    stored
        .records()
        .get(tr, tenant, RecordKind.ARTIFACT.number(), id)
        .filter(bytes -> Stored.parse(ArtifactRecord.parser(), bytes).getBlobId().isEmpty())
        .ifPresent(bytes -> empty.put(id, bytes));
  }
}
