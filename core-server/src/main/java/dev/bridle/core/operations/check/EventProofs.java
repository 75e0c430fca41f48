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

  private final Surveyed surveyed;
  private final Rows rows;
  private final Proofs proofs;
  private final EventFolds folds;

  EventProofs(Surveyed surveyed) {
    this.surveyed = surveyed;
    this.rows = surveyed.rows();
    this.proofs = surveyed.proofs();
    this.folds = new EventFolds(rows, proofs);
  }

  /** Ends what depends on the order of the rows. */
  void end() {
    folds.end();
  }

  void event(String tenant, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    String stream = key.text(0);
    if (key.items().size() > 3) {
      Chunks chunks = new Chunks(rows, tenant);
      if (surveyed.store().read(tr -> chunks.check(tr, row, stream)).isPresent()) {
        proofs.events().doubt(Proofs.hash(tenant, stream));
      }
      surveyed.further(row);
      return;
    }
    int partition = rows.partitionOf(stream, surveyed.partitions());
    EventId id = rows.eventId(key.number(1), key.stamp(2), partition);
    byte[] value = rows.value(id);
    long hash = Proofs.feed(tenant, stream, value);
    proofs.feed().expect(hash, hash);
    Optional<EventRecord> parsed = surveyed.whole(row).flatMap(EventProofs::parse);
    if (parsed.isEmpty() || !committed(parsed.get())) {
      proofs.events().doubt(Proofs.hash(tenant, stream));
    }
    parsed.ifPresent(
        event -> {
          if (EventCheck.ofTask(event)) {
            long task = Proofs.hash(tenant, event.getTaskId());
            proofs.pointers().expect(task, Proofs.pointer(task, event.getSequence(), value));
          }
          answer(tenant, value, event);
          OptionalLong message = message(hash, event);
          inOrder.add(
              () -> {
                folds.add(tenant, stream, id, event);
                // Index rows come before events, and all of them have been looked at by now.
                message.ifPresent(proofs.messages()::see);
              });
        });
  }

  /** Returns the hash of the message that an event names, if there is one. */
  private static OptionalLong message(long at, EventRecord event) {
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

  /** Expects what a command must answer whose event it is. */
  private void answer(String tenant, byte[] id, EventRecord event) {
    if (!event.getIdempotencyKey().isEmpty()) {
      String about = IdempotencyCheck.isOfResult(event) ? "" : event.getResourceId();
      proofs.answers().expect(Proofs.answer(Proofs.event(tenant, id), Proofs.text(about)));
    }
  }

  private static boolean committed(EventRecord event) {
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

  void feed(String tenant, Row row) {
    RowKey key = row.key();
    long partition = key.number(0);
    Optional<String> stream =
        rows.text(row.value())
            .filter(is -> rows.partitionOf(is, surveyed.partitions()) == partition);
    if (stream.isEmpty()) {
      proofs.feed().doubt(RowHash.of(tenant).add(row.raw()).end());
      return;
    }
    EventId id = rows.eventId(key.number(1), key.stamp(2), (int) partition);
    long hash = Proofs.feed(tenant, stream.get(), rows.value(id));
    proofs.feed().see(hash, hash);
  }
}
