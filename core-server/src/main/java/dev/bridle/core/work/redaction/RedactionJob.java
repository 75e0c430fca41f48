package dev.bridle.core.work.redaction;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import java.util.List;
import java.util.Optional;

/**
 * Erases content that was too much for the request's transaction, then stored copies, kind by kind;
 * each piece in a transaction that also stores how far it is. Any process's sweeper continues it
 * after a crash.
 */
public final class RedactionJob {
  private static final String ACTOR = "bridle";

  /** How many pieces are erased before the sweeper looks after what else is due. */
  private static final int PIECES_AT_ONCE = 20;

  private final Commands commands;
  private final RedactionStore store;
  private final DueIndex due;
  private final List<CopyEraser> erasers;
  private final PendingErasure pending;
  private final RedactionEvents events;

  /**
   * Creates the job.
   *
   * @param erasers what erases the kinds of copies, in an order that is stored: new ones come last
   */
  public RedactionJob(CoreContext context, List<CopyEraser> erasers) {
    this.commands = context.commands();
    this.store = new RedactionStore(context.layout());
    this.due = context.due();
    this.erasers = List.copyOf(erasers);
    this.pending = new PendingErasure(context, new Erasure(context, store));
    this.events = new RedactionEvents(context);
  }

  /**
   * Erases the next copies of the redaction of a due entry, which stays due until all are erased;
   * removes a stale entry.
   */
  public void run(DueEntry entry) {
    boolean more = true;
    for (int piece = 0; more && piece < PIECES_AT_ONCE; piece++) {
      more =
          commands.fenced(
              FencedWrite.ERASE_COPIES, entry.tenant(), ACTOR, write -> piece(write, entry));
    }
  }

  private boolean piece(Write write, DueEntry entry) {
    Optional<RedactionRecord> found =
        store
            .find(write.tr(), write.tenant(), entry.id())
            .filter(record -> RedactionStore.REDACTION.isDue(record, entry));
    if (found.isEmpty()) {
      due.cancel(write.tr(), entry);
      return false;
    }
    write.needTenant();
    RedactionRecord before = found.get();
    if (before.getPendingCount() > 0) {
      content(write, before);
      return true;
    }
    if (before.getStage() >= erasers.size()) {
      store.update(write.tr(), write.tenant(), before, Progress.done(before, write.nowMillis()));
      return false;
    }
    RedactionRecord.Builder after = before.toBuilder();
    erasers
        .get(before.getStage())
        .erase(
            write,
            new StoredMarks(store, write.tr().snapshot(), write.tenant()),
            before.getCursor())
        .ifPresentOrElse(
            after::setCursor, () -> after.clearCursor().setStage(before.getStage() + 1));
    store.update(write.tr(), write.tenant(), before, after.build());
    return true;
  }

  /** Erases a piece of the content that comes first. */
  private void content(Write write, RedactionRecord before) {
    PendingErasure.Piece piece =
        pending.erase(write, before.getPending(0), before.getRedaction().getId());
    RedactionRecord.Builder after =
        before.toBuilder()
            .clearPending()
            .addAllPending(piece.left())
            .addAllPending(before.getPendingList().subList(1, before.getPendingCount()));
    after
        .getRedactionBuilder()
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
        .setResources(before.getRedaction().getResources() + piece.erased().size());
    store.update(write.tr(), write.tenant(), before, after.build());
    events.emit(write, before.getRedaction(), piece.erased());
  }
}
