package dev.bridle.core.operations.check.rule;

import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import java.util.List;

/** Compares the records of a tenant with their entries in the due index. */
public final class DueEntries {
  private final CheckScope scope;
  private final DueIndex due;
  private final Records records;

  public DueEntries(CheckScope scope) {
    this.scope = scope;
    this.due = new DueIndex(scope.layout());
    this.records = new Records(scope.rows(), scope.tenant());
  }

  /** Returns a fault for each due entry that a record lacks. */
  public List<Fault> missing(ReadTransaction tr, StoredRecord<?> record) {
    return record.dueEntries(scope.tenant()).stream()
        .filter(entry -> !isProven(entry) && !due.contains(tr, entry))
        .map(this::missing)
        .toList();
  }

  private boolean isProven(DueEntry entry) {
    return scope.proofs().due().proves(Proofs.entry(entry));
  }

  private Fault missing(DueEntry entry) {
    return Fault.of(FaultKind.DUE_MISSING, scope.tenant(), entry.id(), describeMissing(entry))
        .repairedBy(
            again -> !due.contains(again, entry) && isDue(again, entry),
            again -> due.schedule(again, entry));
  }

  /** Returns whether the record of an entry exists, and is due at that time. */
  public boolean isDue(ReadTransaction tr, DueEntry entry) {
    return scope
        .catalog()
        .find(entry.kind())
        .flatMap(kind -> records.read(tr, kind, entry.id()))
        .filter(record -> record.dueEntries(scope.tenant()).contains(entry))
        .isPresent();
  }

  private static String describeMissing(DueEntry entry) {
    return switch (entry.kind()) {
      case LEASE, CANCEL, HOLD ->
          "The task's lease is due at "
              + entry.dueMillis()
              + " for "
              + entry.kind()
              + ", but has no due entry, so it never expires.";
      case HOST_TOOL ->
          "The task's tool call is due at "
              + entry.dueMillis()
              + ", but has no due entry, so it never times out.";
      case REPLAY_WORKER ->
          "The replay waits for a worker until "
              + entry.dueMillis()
              + ", but has no due entry, so it may wait forever.";
      case PERMISSION ->
          "The permission request is due at "
              + entry.dueMillis()
              + ", but has no due entry, so it never expires.";
      case DELIVERY -> "The delivery is never processed or removed: it has no due entry.";
      case SCHEDULE -> "The schedule never runs again: it has no due entry.";
      case WEBHOOK -> "The webhook never sends again: it has no due entry.";
      case POLL -> "The connector never polls again: it has no due entry.";
      case HARP_REQUEST ->
          "The request for a decision is never sent, looked after or removed: it has no due entry.";
      case PROMPT -> "The prompt is never expired or removed: it has no due entry.";
      case LAYER_SESSION -> "The session of HARP is never removed: it has no due entry.";
      case PAIRING -> "The pairing is never removed: it has no due entry.";
      case CHANNEL -> "The channel is never closed or removed: it has no due entry.";
      case EXCHANGE -> "The exchange is never expired or removed: it has no due entry.";
      case MEMORY -> "The memory expires, but is never deleted: it has no due entry.";
      case REDACTION -> "The redaction never erases its copies: it has no due entry.";
      case IDEMPOTENCY, UPLOAD ->
          throw new IllegalArgumentException("no record has due entries of " + entry.kind());
    };
  }
}
