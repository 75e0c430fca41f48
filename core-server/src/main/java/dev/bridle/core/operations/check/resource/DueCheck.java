package dev.bridle.core.operations.check.resource;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.BlobRows;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.DueEntries;
import dev.bridle.core.operations.check.rule.IdempotencyRows;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Optional;

/** Checks that every due entry refers to something that is due at that time. */
public final class DueCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("due entries");
    RowCheck.clearing(
        scope,
        scope.rows().below(SystemSpace.DUE),
        (tr, row) -> wrong(scope, tr, row),
        (row, wrong) ->
            Fault.of(
                FaultKind.DUE_ORPHANED,
                row.key().text(3),
                row.key().text(4),
                "The due entry " + row.key().spelled() + " " + wrong));
  }

  private static String wrong(CheckScope scope, ReadTransaction tr, Row row) {
    long dueAt = row.key().number(1);
    String tenant = row.key().text(3);
    String id = row.key().text(4);
    Optional<DueKind> kind = DueKind.find(row.key().number(2));
    if (kind.isEmpty()) {
      return "is of an unknown kind.";
    }
    if (row.key().number(0) != DueIndex.shardOf(id)) {
      return "lies in another shard than its own.";
    }
    DueEntry entry = new DueEntry(dueAt, kind.get(), tenant, id);
    boolean proven =
        kind.get() != DueKind.UPLOAD && scope.proofs().due().proves(Proofs.entry(entry));
    return proven || isDue(scope.of(tenant), tr, entry)
        ? ""
        : "is about " + describeOrphaned(kind.get());
  }

  private static boolean isDue(CheckScope scope, ReadTransaction tr, DueEntry entry) {
    return switch (entry.kind()) {
      case IDEMPOTENCY -> IdempotencyRows.ofDueEntry(scope, entry).mayExpire(tr, entry.dueMillis());
      case UPLOAD ->
          new Records(scope.rows(), scope.tenant())
              .exists(tr, ArtifactStore.ARTIFACT, BlobRows.artifactOf(entry.id()));
      default -> new DueEntries(scope).isDue(tr, entry);
    };
  }

  private static String describeOrphaned(DueKind kind) {
    return switch (kind) {
      case LEASE, CANCEL, HOLD -> "a task that is not there, or not due then.";
      case IDEMPOTENCY -> "an idempotency record that is not there, or not due then.";
      case PERMISSION -> "a permission request that is not there, or not due then.";
      case HOST_TOOL -> "a tool call that no task waits with, or that is not due then.";
      case REPLAY_WORKER -> "a replay that is not there, or waits for no worker until then.";
      case DELIVERY -> "a delivery that is not there, or not due then.";
      case SCHEDULE -> "a schedule that is not there, or not due then.";
      case WEBHOOK -> "a webhook that is not there, or not due then.";
      case POLL -> "a connector that is not there, or does not poll then.";
      case REDACTION -> "a redaction that is not there, or done.";
      case HARP_REQUEST -> "a request for a decision that is not there, or not due then.";
      case PROMPT -> "a prompt that is not there, or not due then.";
      case LAYER_SESSION -> "a session of HARP that is not there, or not due then.";
      case PAIRING -> "a pairing that is not there, or not due then.";
      case CHANNEL -> "a channel that is not there, or not due then.";
      case EXCHANGE -> "an exchange that is not there, or not due then.";
      case MEMORY -> "a memory that is not there, or does not expire then.";
      case UPLOAD -> "an upload to an artifact that is not there.";
    };
  }
}
