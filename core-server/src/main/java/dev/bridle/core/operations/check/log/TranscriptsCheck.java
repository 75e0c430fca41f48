package dev.bridle.core.operations.check.log;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.record.v1.HiddenTurns;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows;
import java.util.Optional;

/**
 * Checks that the hidden ranges of transcripts are sorted and disjoint, and end at a message of the
 * session.
 */
public final class TranscriptsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("transcripts of " + scope.tenant());
    RecordRows rows = new RecordRows(scope.layout());
    RowCheck.eachRecord(
        scope,
        Transcripts.TRANSCRIPT,
        (tr, id, record) ->
            sound(scope, tr, rows, record)
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.VALUE_DAMAGED,
                        scope.tenant(),
                        id,
                        "The transcript's hidden ranges are not sorted, or do not end at a"
                            + " message.")));
  }

  private static boolean sound(
      CheckScope scope, ReadTransaction tr, RecordRows rows, TranscriptRecord record) {
    Optional<LogPosition> before = Optional.empty();
    for (HiddenTurns hidden : record.getHiddenList()) {
      byte[] after = hidden.getAfter().toByteArray();
      byte[] through = hidden.getThrough().toByteArray();
      if (through.length != LogPosition.BYTES
          || (after.length != LogPosition.BYTES && (after.length != 0 || before.isPresent()))) {
        return false;
      }
      LogPosition end = LogPosition.fromBytes(through);
      LogPosition begin = after.length == 0 ? end : LogPosition.fromBytes(after);
      boolean inOrder =
          (after.length == 0 || begin.compareTo(end) < 0)
              && before.filter(last -> begin.compareTo(last) <= 0).isEmpty();
      if (!inOrder
          || rows.at(
                  tr,
                  scope.tenant(),
                  MessageStore.MESSAGE.number(),
                  MessageStore.MESSAGES_BY_SESSION,
                  record.getSessionId(),
                  end)
              .isEmpty()) {
        return false;
      }
      before = Optional.of(end);
    }
    return record.getHiddenCount() > 0;
  }
}
