package dev.bridle.core.operations.check.resource;

import dev.bridle.core.kernel.command.StoredEventId;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.log.LogRows;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.core.operations.check.rule.IdempotencyRows;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.PendingEvent;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Every idempotency record has its stamp, lies in the generation of its time, or has a due entry if
 * it is of an earlier release, and names an event of its own. Every command without a client's key
 * has its stamp.
 */
public final class IdempotencyCheck implements Check {
  /** The length of a command's stamp. */
  public static final int STAMP_BYTES = 10;

  /** The length of the hash of its request. */
  public static final int HASH_BYTES = 32;

  /** Events of commands whose answers do not name what the events are about. */
  private static final Set<String> OF_RESULTS =
      Set.of(
          EventKinds.RECEIPT_VERIFIED,
          EventKinds.RECEIPT_VERIFICATION_FAILED,
          EventKinds.ARTIFACT_REDACTED,
          EventKinds.CONTENT_REDACTED);

  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().ofAllCommands()) {
      return;
    }
    scope.walk().step("idempotency records of " + scope.tenant());
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    for (TenantSpace space : List.of(TenantSpace.IDEMPOTENCY, TenantSpace.KEYED_COMMAND)) {
      RowCheck.each(
          scope,
          scope.rows().below(scope.tenant(), space),
          (tr, row) -> {
            IdempotencyRows rows = IdempotencyRows.around(scope, row);
            if (rows.itemsAfterHead(row) < 2 && isProven(scope, rows)) {
              return Optional.empty();
            }
            return switch (rows.itemsAfterHead(row)) {
              case 0 -> stamp(scope, tr, row, rows);
              case 1 -> record(scope, tr, row, rows);
              default -> chunks.check(tr, row, rows.id());
            };
          });
    }
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.COMMAND),
        (tr, row) ->
            row.value().length == STAMP_BYTES
                ? Optional.empty()
                : fault(
                    FaultKind.VALUE_DAMAGED,
                    scope,
                    row.key().text(1),
                    "The stamp of the command is not 10 bytes long."));
  }

  private static Optional<Fault> stamp(
      CheckScope scope, ReadTransaction tr, Row row, IdempotencyRows rows) {
    Optional<CommandRecord> found = rows.find(tr);
    if (found.isEmpty() || row.value().length != STAMP_BYTES) {
      return fault(
          FaultKind.IDEMPOTENCY_BROKEN,
          scope,
          rows.id(),
          "The idempotency record lacks its answer, or is damaged.");
    }
    CommandRecord command = found.get();
    String wrong = wrong(scope, tr, command, row.value());
    if (wrong.isEmpty() && !isInItsGeneration(rows.generation(), command)) {
      wrong = "lies in another generation than that of its time.";
    }
    if (!wrong.isEmpty()) {
      return fault(
          FaultKind.IDEMPOTENCY_BROKEN, scope, rows.id(), "The idempotency record " + wrong);
    }
    return rows.generation().isPresent()
        ? Optional.empty()
        : dueMissing(scope, tr, row, rows.id(), command);
  }

  /** Returns whether a command lies in the generation of its time, if it lies in any. */
  public static boolean isInItsGeneration(Optional<Long> generation, CommandRecord command) {
    long madeAt = command.getExpiresAt() - IdempotencyStore.RETENTION_MILLIS;
    return generation.map(at -> at == IdempotencyStore.generationOf(madeAt)).orElse(true);
  }

  /** Returns whether the answer of an event's command need not name what the event is about. */
  public static boolean isOfResult(EventRecord event) {
    return OF_RESULTS.contains(event.getEvent());
  }

  /** Returns whether nothing of a command is left to look at. */
  private static boolean isProven(CheckScope scope, IdempotencyRows rows) {
    Proofs proofs = scope.proofs();
    return proofs.due().proveAll()
        && proofs.feed().proveAll()
        && proofs.commands().proves(Proofs.command(scope.tenant(), rows.head()));
  }

  private static Optional<Fault> dueMissing(
      CheckScope scope, ReadTransaction tr, Row row, String id, CommandRecord command) {
    DueEntry entry = dueEntry(scope, id, command);
    DueIndex due = new DueIndex(scope.layout());
    if (scope.proofs().due().proves(Proofs.entry(entry)) || due.contains(tr, entry)) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.DUE_MISSING,
                scope.tenant(),
                id,
                "The idempotency record has no due entry, so it would stay for ever.")
            .repairedBy(
                again -> again.get(row.raw()).isPresent() && !due.contains(again, entry),
                again -> due.schedule(again, entry)));
  }

  private static DueEntry dueEntry(CheckScope scope, String id, CommandRecord command) {
    return new DueEntry(command.getExpiresAt(), DueKind.IDEMPOTENCY, scope.tenant(), id);
  }

  private static String wrong(
      CheckScope scope, ReadTransaction tr, CommandRecord command, byte[] stamp) {
    if (command.getRequestHash().size() != HASH_BYTES) {
      return "keeps no hash of its request.";
    }
    if (!command.hasLastEvent()) {
      return "";
    }
    PendingEvent last = command.getLastEvent();
    EventId event = StoredEventId.parse(last).complete(stamp);
    LogRows log = new LogRows(scope);
    Optional<String> stream = tr.get(log.feed(event)).flatMap(scope.rows()::text);
    if (stream.isEmpty()) {
      return log.mayBeDropped(tr, event)
          ? ""
          : "names the event " + event + ", which is not there.";
    }
    byte[] body = log.body(stream.get(), event);
    boolean own =
        tr.get(body)
            .flatMap(first -> log.parse(tr, body, first))
            .map(is -> answered(command, is))
            .orElse(true); // Named where the feed and the log are looked at.
    return own && log.partition(stream.get()) == last.getPartition()
        ? ""
        : "names the event " + event + ", which is another command's.";
  }

  /** Returns whether an event can be that of a command: what it is about stands in the answer. */
  private static boolean answered(CommandRecord command, EventRecord event) {
    return !event.getIdempotencyKey().isEmpty()
        && (command.getResponse().isEmpty()
            || isOfResult(event)
            || command
                .getResponse()
                .toString(StandardCharsets.ISO_8859_1)
                .contains(event.getResourceId()));
  }

  private static Optional<Fault> record(
      CheckScope scope, ReadTransaction tr, Row row, IdempotencyRows rows) {
    byte[] stamp = rows.stamp();
    if (tr.get(stamp).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.IDEMPOTENCY_BROKEN,
                scope.tenant(),
                rows.id(),
                "The answer of an idempotency record is there without its stamp.")
            .repairedBy(
                again -> again.get(row.raw()).isPresent() && again.get(stamp).isEmpty(),
                again -> {
                  if (rows.generation().isEmpty()) {
                    rows.find(again)
                        .map(command -> dueEntry(scope, rows.id(), command))
                        .ifPresent(entry -> new DueIndex(scope.layout()).cancel(again, entry));
                  }
                  again.clear(row.raw());
                  again.clear(rows.furtherRows());
                }));
  }

  private static Optional<Fault> fault(
      FaultKind kind, CheckScope scope, String id, String sentence) {
    return Optional.of(Fault.of(kind, scope.tenant(), id, sentence));
  }
}
