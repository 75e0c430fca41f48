package dev.bridle.core.work.message;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.HiddenTurns;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores which messages a session's transcript hides because of truncations. Hidden messages stay
 * stored, since outcomes and the log refer to them. Each truncation is stored as a range of
 * positions, so its cost does not depend on its length:
 *
 * <pre>
 * tenant / RECORD / TRANSCRIPT, session → TranscriptRecord, if anything is hidden
 * </pre>
 */
public final class Transcripts {
  /** The definition of transcripts. */
  public static final RecordDef<TranscriptRecord> TRANSCRIPT =
      RecordDef.of(18, "transcript", TranscriptRecord.parser())
          .id(TranscriptRecord::getSessionId)
          .refersTo("session", TranscriptRecord::getSessionId)
          .exported()
          .build();

  /** The maximum number of hidden ranges; a truncation further back merges some. */
  private static final int MAX_HIDDEN = 1000;

  private static final int ROWS_AT_ONCE = 1000;

  private final RecordStore<TranscriptRecord> records;
  private final RecordRows rows;
  private final TranscriptRepair repair;

  public Transcripts(KeyLayout layout, EventLog log) {
    this.records = TRANSCRIPT.store(layout);
    this.rows = new RecordRows(layout);
    this.repair = new TranscriptRepair(rows, log);
  }

  /** Returns the hidden ranges of a session's messages. */
  public Pages.Gaps gaps(ReadTransaction tr, String tenant, String session) {
    return gaps(find(tr, tenant, session));
  }

  private static Pages.Gaps gaps(TranscriptRecord record) {
    return position ->
        record.getHiddenList().stream()
            .filter(hidden -> hides(hidden, position))
            .map(hidden -> LogPosition.fromBytes(hidden.getThrough().toByteArray()))
            .findFirst();
  }

  private static boolean hides(HiddenTurns hidden, LogPosition position) {
    return position.compareTo(LogPosition.fromBytes(hidden.getThrough().toByteArray())) <= 0
        && (hidden.getAfter().isEmpty()
            || position.compareTo(LogPosition.fromBytes(hidden.getAfter().toByteArray())) > 0);
  }

  /**
   * Returns the ids and positions of a session's visible messages, oldest first.
   *
   * @param limit how many at most
   */
  public List<Row> shown(ReadTransaction tr, String tenant, String session, int limit) {
    Pages.Gaps gaps = gaps(tr, tenant, session);
    List<Row> shown = new ArrayList<>();
    Optional<LogPosition> after = Optional.empty();
    boolean more = true;
    while (more && shown.size() < limit) {
      List<Row> page =
          rows.page(
              tr,
              tenant,
              MessageStore.MESSAGE.number(),
              MessageStore.MESSAGES_BY_SESSION,
              session,
              after,
              ROWS_AT_ONCE);
      more = page.size() == ROWS_AT_ONCE;
      for (Row row : page) {
        after = Optional.of(row.place());
        Optional<LogPosition> end = gaps.endOf(row.place());
        if (end.isPresent()) {
          after = end;
          more = true;
          break;
        }
        if (shown.size() < limit) {
          shown.add(row);
        }
      }
    }
    return shown;
  }

  /**
   * Hides all messages after a position, up to the newest. Ranges that were hidden before stay
   * hidden, including those behind the newest visible message.
   *
   * @param after the newest message that stays visible; empty if none does
   * @param newest the newest visible message
   */
  public void hide(Write write, String session, Optional<LogPosition> after, LogPosition newest) {
    Optional<TranscriptRecord> stored = records.get(write.tr(), write.tenant(), session);
    TranscriptRecord before = repaired(write.tr(), write.tenant(), stored);
    TranscriptRecord.Builder record =
        TranscriptRecord.newBuilder().setSessionId(session).setCumulative(true);
    LogPosition through = newest;
    for (HiddenTurns hidden : before.getHiddenList()) {
      LogPosition end = ends(hidden);
      if (after.filter(position -> end.compareTo(position) <= 0).isPresent()) {
        record.addHidden(hidden);
      } else if (end.compareTo(through) > 0) {
        through = end;
      }
    }
    if (record.getHiddenCount() >= MAX_HIDDEN) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          "The session was truncated in more than "
              + MAX_HIDDEN
              + " places; fork it, and continue with the fork.");
    }
    HiddenTurns.Builder hidden =
        HiddenTurns.newBuilder().setThrough(ByteString.copyFrom(through.toBytes()));
    after.ifPresent(position -> hidden.setAfter(ByteString.copyFrom(position.toBytes())));
    record.addHidden(hidden);
    if (stored.isEmpty()) {
      records.insert(write.tr(), write.tenant(), session, record.build());
    } else {
      records.update(write.tr(), write.tenant(), session, stored.get(), record.build());
    }
  }

  private static LogPosition ends(HiddenTurns hidden) {
    return LogPosition.fromBytes(hidden.getThrough().toByteArray());
  }

  private TranscriptRecord find(ReadTransaction tr, String tenant, String session) {
    return repaired(tr, tenant, records.get(tr, tenant, session));
  }

  private TranscriptRecord repaired(
      ReadTransaction tr, String tenant, Optional<TranscriptRecord> stored) {
    return stored
        .map(record -> record.getCumulative() ? record : repair.repair(tr, tenant, record))
        .orElseGet(TranscriptRecord::getDefaultInstance);
  }
}
