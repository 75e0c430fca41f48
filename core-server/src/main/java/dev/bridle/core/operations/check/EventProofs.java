package dev.bridle.core.operations.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.log.EventCheck;
import dev.bridle.core.operations.check.log.EventFolds;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.operations.check.resource.IdempotencyCheck;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Adds the rows of the log to the proofs. */
final class EventProofs {
  private static final String MESSAGE = "\"message_id\":\"";

  private final SurveyContext context;
  private final Rows rows;
  private final Proofs proofs;
  private final EventFolds folds;

  EventProofs(SurveyContext context) {
    this.context = context;
    this.rows = context.rows();
    this.proofs = context.proofs();
    this.folds = new EventFolds(rows, proofs);
  }

  /** Ends what depends on the order of the rows. */
  void end() {
    folds.end();
  }

  /**
   * Adds a row of an event.
   *
   * @param inOrder receives what must run in the order of the keys
   */
  void addEvent(String tenant, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    String stream = key.text(0);
    if (key.items().size() > 3) {
      Chunks chunks = new Chunks(rows, tenant);
      if (context.store().read(tr -> chunks.check(tr, row, stream)).isPresent()) {
        proofs.events().doubt(Proofs.hash(tenant, stream));
      }
      context.addFurtherRow(row);
      return;
    }
    int partition = rows.partitionOf(stream, context.partitions());
    EventId id = rows.eventId(key.number(1), key.stamp(2), partition);
    byte[] value = rows.value(id);
    long hash = Proofs.feed(tenant, stream, value);
    proofs.feed().expect(hash, hash);
    Optional<EventRecord> parsed = context.whole(row).flatMap(EventProofs::parse);
    if (parsed.isEmpty() || !isCommitted(parsed.get())) {
      proofs.events().doubt(Proofs.hash(tenant, stream));
    }
    parsed.ifPresent(
        event -> {
          if (EventCheck.ofTask(event)) {
            long task = Proofs.hash(tenant, event.getTaskId());
            proofs.pointers().expect(task, Proofs.pointer(task, event.getSequence(), value));
          }
          expectAnswer(tenant, value, event);
          OptionalLong message = messageHash(hash, event);
          inOrder.add(
              () -> {
                folds.add(tenant, stream, id, event);
                // Index rows come before events, and all of them have been looked at by now.
                message.ifPresent(proofs.messages()::see);
              });
        });
  }

  /** Returns the hash of the message that an event names, if there is one. */
  private static OptionalLong messageHash(long at, EventRecord event) {
    String payload =
        (event.getPayload().isEmpty() ? event.getRedactedPayload() : event.getPayload())
            .toString(ISO_8859_1);
    int member = payload.indexOf(MESSAGE);
    if (member < 0) {
      return OptionalLong.empty();
    }
    int begin = member + MESSAGE.length();
    int end = payload.indexOf('"', begin);
    return OptionalLong.of(Proofs.message(at, payload.substring(begin, Math.max(begin, end))));
  }

  /** Adds what the response of the event's command must name. */
  private void expectAnswer(String tenant, byte[] id, EventRecord event) {
    if (!event.getIdempotencyKey().isEmpty()) {
      String about = IdempotencyCheck.isOfResult(event) ? "" : event.getResourceId();
      proofs.answers().expect(Proofs.answer(Proofs.event(tenant, id), Proofs.text(about)));
    }
  }

  private static boolean isCommitted(EventRecord event) {
    // What is redacted has no salt, and is looked at one by one.
    return !event.getSalt().isEmpty()
        && Commitment.of(event.getSalt().toByteArray(), event.getPayload())
            .equals(event.getCommitment());
  }

  private static Optional<EventRecord> parse(byte[] value) {
    try {
      return Optional.of(EventRecord.parseFrom(value));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** Adds an entry of the feed. */
  void addFeedEntry(String tenant, Row row) {
    RowKey key = row.key();
    long partition = key.number(0);
    Optional<String> stream =
        rows.text(row.value())
            .filter(is -> rows.partitionOf(is, context.partitions()) == partition);
    if (stream.isEmpty()) {
      proofs.feed().doubt(RowHash.of(tenant).add(row.raw()).end());
      return;
    }
    EventId id = rows.eventId(key.number(1), key.stamp(2), (int) partition);
    long hash = Proofs.feed(tenant, stream.get(), rows.value(id));
    proofs.feed().see(hash, hash);
  }
}
