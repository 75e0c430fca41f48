package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.PendingContent;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.IndexRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Erases content that is too much for one transaction, piece by piece. */
final class PendingErasure {
  private final CoreContext context;
  private final Erasure erasure;
  private final TaskErasure tasks;

  PendingErasure(CoreContext context, Erasure erasure) {
    this.context = context;
    this.erasure = erasure;
    this.tasks = new TaskErasure(context, erasure, this);
  }

  /**
   * An erased piece.
   *
   * @param erased what was erased, without what had been before
   * @param left what is to be erased next in its place, in this order; empty: nothing is left
   */
  record Piece(List<Target> erased, List<PendingContent> left) {
    Piece {
      erased = List.copyOf(erased);
      left = List.copyOf(left);
    }
  }

  /** Erases the next piece of some content. */
  Piece erase(Write write, PendingContent at, String redactionId) {
    return switch (at.getObject()) {
      case RedactionStore.TASK -> tasks.erase(write, at, redactionId);
      case RedactionStore.MESSAGE -> copies(write, at, redactionId);
      default -> throw new IllegalStateException("no content is that of a " + at.getObject());
    };
  }

  private Piece copies(Write write, PendingContent at, String redactionId) {
    Optional<byte[]> from =
        at.getCursor().isEmpty() ? Optional.empty() : Optional.of(at.getCursor().toByteArray());
    // With a conflict: a fork that is made meanwhile copies a message that is erased, or comes
    // later.
    List<IndexRow> rows = Copies.after(write.tr(), context, write.tenant(), at.getId(), from);
    List<Target> erased = erasure.apply(write, targets(write, rows), redactionId);
    return rows.size() <= Copies.MAX_AT_ONCE
        ? new Piece(erased, List.of())
        : new Piece(
            erased,
            List.of(
                at.toBuilder()
                    .setCursor(ByteString.copyFrom(rows.get(rows.size() - 1).position()))
                    .build()));
  }

  /** Returns copies of a message, with their events, which have the places of their rows. */
  List<Target> targets(Write write, List<IndexRow> copies) {
    List<Target> targets = new ArrayList<>();
    for (IndexRow row : copies) {
      MessageStore.MESSAGE
          .store(context.layout())
          .get(write.tr(), write.tenant(), row.id())
          .map(Message::getSessionId)
          .ifPresent(
              session -> {
                EventId event = EventId.at(row.place(), context.log().partitionOf(session));
                targets.add(new Target(RedactionStore.MESSAGE, row.id(), session, ""));
                targets.add(new Target(RedactionStore.EVENT, event.toString(), session, ""));
              });
    }
    return targets;
  }
}
