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
 * Which messages of a session its transcript shows: all, but for those that were truncated. These
 * stay where they are, so that outcomes and the log go on naming them; what is hidden is kept as
 * places between which nothing shows, so a truncation writes as much however long it is:
 *
 * <pre>
 * tenant / RECORD / TRANSCRIPT, session → TranscriptRecord, where anything is hidden
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

  /** Places between which something is hidden, at most; a truncation further back merges some. */
  private static final int MAX_HIDDEN = 1000;

  private static final int ROWS_AT_ONCE = 1000;

  private final RecordStore<TranscriptRecord> records;
  private final RecordRows rows;
  private final TranscriptHealing healing;

  public Transcripts(KeyLayout layout, EventLog log) {
    this.records = TRANSCRIPT.store(layout);
    this.rows = new RecordRows(layout);
    this.healing = new TranscriptHealing(rows, log);
  }

  /** Returns what a session's list of messages passes over. */
  public Pages.Gaps gaps(ReadTransaction tr, String tenant, String session) {
    return gaps(find(tr, tenant, session));
  }

  private static Pages.Gaps gaps(TranscriptRecord record) {
    return place ->
        record.getHiddenList().stream()
            .filter(hidden -> hides(hidden, place))
            .map(hidden -> LogPosition.fromBytes(hidden.getThrough().toByteArray()))
            .findFirst();
  }

  private static boolean hides(HiddenTurns hidden, LogPosition place) {
    return place.compareTo(LogPosition.fromBytes(hidden.getThrough().toByteArray())) <= 0
        && (hidden.getAfter().isEmpty()
            || place.compareTo(LogPosition.fromBytes(hidden.getAfter().toByteArray())) > 0);
  }

  /**
   * Returns the messages that a session shows, oldest first: their ids and where they stand.
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
   * Hides all messages after one, up to the newest. What was hidden among them before stays hidden,
   * also where it lies behind the newest one that shows.
   *
   * @param after the newest one that still shows; empty where none does
   * @param newest the newest one that shows now
   */
  public void hide(Write write, String session, Optional<LogPosition> after, LogPosition newest) {
    Optional<TranscriptRecord> stored = records.get(write.tr(), write.tenant(), session);
    TranscriptRecord before = healed(write.tr(), write.tenant(), stored);
    TranscriptRecord.Builder record =
        TranscriptRecord.newBuilder().setSessionId(session).setCumulative(true);
    LogPosition through = newest;
    for (HiddenTurns hidden : before.getHiddenList()) {
      LogPosition end = ends(hidden);
      if (after.filter(place -> end.compareTo(place) <= 0).isPresent()) {
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
              + " places; fork it, and go on with the fork.");
    }
    HiddenTurns.Builder hidden =
        HiddenTurns.newBuilder().setThrough(ByteString.copyFrom(through.toBytes()));
    after.ifPresent(place -> hidden.setAfter(ByteString.copyFrom(place.toBytes())));
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
    return healed(tr, tenant, records.get(tr, tenant, session));
  }

  private TranscriptRecord healed(
      ReadTransaction tr, String tenant, Optional<TranscriptRecord> stored) {
    return stored
        .map(record -> record.getCumulative() ? record : healing.heal(tr, tenant, record))
        .orElseGet(TranscriptRecord::getDefaultInstance);
  }
}
