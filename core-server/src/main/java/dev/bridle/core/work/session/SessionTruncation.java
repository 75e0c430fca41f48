package dev.bridle.core.work.session;

import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.session.v1.TruncateSessionResponse;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.List;
import java.util.Optional;

/**
 * Truncates the later turns of a transcript in place (protocol section "Session"). Tasks, outcomes
 * and the log stay as they are.
 */
public final class SessionTruncation {
  /** The maximum number of turns that one transaction counts. */
  private static final int MAX_TURNS = 50_000;

  private final SessionStore sessions;
  private final Transcripts transcripts;
  private final Events events;

  SessionTruncation(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.transcripts = new Transcripts(context.layout(), context.log());
    this.events = context.events();
  }

  TruncateSessionResponse truncate(Write write, Session before, TruncateSessionRequest request) {
    SessionStore.needOpen(before);
    List<Row> turns = transcripts.shown(write.tr(), write.tenant(), before.getId(), MAX_TURNS + 1);
    if (turns.size() > MAX_TURNS) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
          "The transcript has more than " + MAX_TURNS + " turns, which are too many to truncate.");
    }
    int kept = Math.min(request.getKeepFirst(), turns.size());
    Optional<Row> tip = kept == 0 ? Optional.empty() : Optional.of(turns.get(kept - 1));
    TruncateSessionResponse.Builder result =
        TruncateSessionResponse.newBuilder()
            .setSessionId(before.getId())
            .setKeptTurnCount(kept)
            .setRemovedTurnCount(turns.size() - kept);
    tip.ifPresent(row -> result.setNewTipTurnId(row.id()));
    if (kept == turns.size()) {
      return result.setSession(sessions.withLastEvent(write.tr(), write.tenant(), before)).build();
    }
    LogPosition newest = turns.get(turns.size() - 1).place();
    transcripts.hide(write, before.getId(), tip.map(Row::place), newest);
    Session after =
        before.toBuilder().setUpdatedAt(Timestamps.fromMillis(write.nowMillis())).build();
    sessions.update(write, before, after);
    events.ofSession(
        write,
        after.getWorkspaceId(),
        after.getId(),
        EventDraft.of(
            EventKinds.SESSION_TRUNCATED,
            Payload.of()
                .number("kept_turn_count", kept)
                .number("removed_turn_count", turns.size() - kept)
                .anyText("new_tip_turn_id", tip.map(Row::id))
                .text("reason", request.getReason())));
    return result.setSession(after).build();
  }
}
