package dev.bridle.core.operations.check.log;

import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Checks one event: its body, its entry in the feed, its task's pointer and its sequence number.
 */
public final class EventCheck {
  private final CheckScope scope;
  private final LogRows log;

  public EventCheck(CheckScope scope) {
    this.scope = scope;
    this.log = new LogRows(scope);
  }

  /**
   * An event with its pending reads.
   *
   * @param row the body's row
   * @param id the event's id
   * @param event the event, if its body can be parsed
   * @param feed its entry in the feed
   * @param pointer its task's pointer, if it has a task
   */
  public record Pending(
      Row row,
      EventId id,
      Optional<EventRecord> event,
      CompletableFuture<Optional<byte[]>> feed,
      CompletableFuture<Optional<byte[]>> pointer) {}

  public Pending begin(ReadTransaction tr, Row row) {
    EventId id = log.id(row.key());
    Optional<EventRecord> event = log.parse(tr, row.raw(), row.value());
    return new Pending(
        row,
        id,
        event,
        feedOf(tr, row.key().text(0), id),
        event
            .filter(EventCheck::ofTask)
            .map(read -> pointerOf(tr, read, id))
            .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
  }

  private CompletableFuture<Optional<byte[]>> feedOf(
      ReadTransaction tr, String stream, EventId id) {
    long hash = Proofs.feed(scope.tenant(), stream, scope.rows().value(id));
    return scope.proofs().feed().proves(hash)
        ? CompletableFuture.completedFuture(Optional.of(scope.rows().value(stream)))
        : tr.getAsync(log.feed(id));
  }

  private CompletableFuture<Optional<byte[]>> pointerOf(
      ReadTransaction tr, EventRecord event, EventId id) {
    long task = Proofs.hash(scope.tenant(), event.getTaskId());
    return scope.proofs().pointers().proves(task)
        ? CompletableFuture.completedFuture(Optional.of(scope.rows().value(id)))
        : tr.getAsync(log.pointer(event.getTaskId(), event.getSequence()));
  }

  /** Completes the check of an event, and returns the state of its stream after it. */
  public StreamFold end(ReadTransaction tr, Pending seen, StreamFold before, List<Fault> faults) {
    feed(tr, seen, faults);
    if (seen.event().isEmpty()) {
      faults.add(fault(FaultKind.VALUE_DAMAGED, seen, "The event lacks a part, or can't be read."));
      return before.plus(seen.id(), Optional.empty());
    }
    EventRecord event = seen.event().get();
    redacted(tr, seen, event, faults);
    if (!event.getSalt().isEmpty()
        && !Commitment.of(event.getSalt().toByteArray(), event.getPayload())
            .equals(event.getCommitment())) {
      faults.add(
          fault(
              FaultKind.COMMITMENT_WRONG,
              seen,
              "The event's payload does not match its commitment."));
    }
    if (ofTask(event)) {
      pointer(seen, event, faults);
    } else {
      sequence(tr, seen, event, before, faults);
    }
    return before.plus(seen.id(), seen.event());
  }

  /** An event has either payload and salt, or a redaction that erased both. */
  private void redacted(ReadTransaction tr, Pending seen, EventRecord event, List<Fault> faults) {
    if (event.getCommitment().isEmpty()) {
      return;
    }
    boolean erased = event.getPayload().isEmpty() && event.getSalt().isEmpty();
    if (!erased && event.getSalt().isEmpty()) {
      faults.add(
          fault(FaultKind.REDACTION_WRONG, seen, "The event has a payload, and no salt for it."));
    }
    if (!erased && !event.getRedactedPayload().isEmpty()) {
      faults.add(
          fault(
              FaultKind.REDACTION_WRONG,
              seen,
              "The event has a payload, and what stands for a redacted one."));
    }
    String mark = RedactionStore.idOf(RedactionStore.EVENT, seen.id().toString());
    if (erased
        && !new Records(scope.rows(), scope.tenant())
            .exists(tr, RedactionStore.REDACTED_RESOURCE, mark)) {
      faults.add(
          fault(
              FaultKind.REDACTION_WRONG,
              seen,
              "The event has no payload, although no redaction has erased it."));
    }
  }

  private void feed(ReadTransaction tr, Pending seen, List<Fault> faults) {
    String stream = seen.row().key().text(0);
    byte[] key = log.feed(seen.id());
    byte[] value = scope.rows().value(stream);
    Optional<byte[]> entry = seen.feed().join();
    // The entry of an imported event is marked as such.
    if (entry.flatMap(scope.rows()::text).filter(stream::equals).isPresent()) {
      return;
    }
    boolean missing = entry.isEmpty();
    Fault fault =
        fault(
            missing ? FaultKind.FEED_MISSING : FaultKind.FEED_WRONG,
            seen,
            missing
                ? "The event has no entry in the feed, so streams and reads by id miss it."
                : "The event's entry in the feed names another stream.");
    faults.add(
        log.isLocal(tr, seen.id())
            ? fault.repairedBy(
                again ->
                    again.get(seen.row().raw()).isPresent()
                        && log.isLocal(again, seen.id())
                        && again.get(key).filter(found -> Arrays.equals(found, value)).isEmpty(),
                again -> again.set(key, value))
            : fault);
  }

  private void pointer(Pending seen, EventRecord event, List<Fault> faults) {
    byte[] key = log.pointer(event.getTaskId(), event.getSequence());
    byte[] value = scope.rows().value(seen.id());
    if (seen.pointer().join().filter(found -> Arrays.equals(found, value)).isPresent()) {
      return;
    }
    faults.add(
        fault(
                FaultKind.POINTER_MISSING,
                seen,
                "The event is number "
                    + event.getSequence()
                    + " of the task "
                    + event.getTaskId()
                    + ", whose pointer of that number does not name it.")
            .repairedBy(
                again ->
                    again.get(seen.row().raw()).isPresent()
                        && again.get(key).filter(found -> Arrays.equals(found, value)).isEmpty(),
                again -> again.set(key, value)));
  }

  private void sequence(
      ReadTransaction tr, Pending seen, EventRecord event, StreamFold before, List<Fault> faults) {
    Optional<Long> expected = before.expected(event);
    boolean first = expected.isEmpty();
    if (event.getSequence() == expected.orElse(0L)
        || (first && log.hasFloor(tr, before.stream()))
        || before.newest().filter(id -> log.dropped(tr, before.stream(), id)).isPresent()) {
      return;
    }
    faults.add(
        fault(
            FaultKind.SEQUENCE_BROKEN,
            seen,
            "The event is number "
                + event.getSequence()
                + " of the "
                + event.getResourceObject()
                + " "
                + event.getResourceId()
                + ", where "
                + expected.orElse(0L)
                + " comes next."));
  }

  public static boolean ofTask(EventRecord event) {
    return event.getResourceObject().equals("task");
  }

  private Fault fault(FaultKind kind, Pending seen, String sentence) {
    return Fault.of(kind, scope.tenant(), seen.id().toString(), sentence);
  }
}
