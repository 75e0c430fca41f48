package dev.bridle.core.operations.check;

import dev.bridle.record.v1.CommandRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.PendingEvent;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Every idempotency record has its stamp and its due entry, and names an event of its own. Every
 * command without a client's key has its stamp.
 */
final class IdempotencyCheck implements Check {
  private static final int STAMP_BYTES = 10;
  private static final int HASH_BYTES = 32;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("idempotency records of " + scope.tenant());
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.IDEMPOTENCY),
        (tr, row) ->
            switch (row.key().items().size()) {
              case 1 -> stamp(scope, tr, row);
              case 2 -> record(scope, tr, row);
              default -> chunks.check(tr, row, row.key().text(0));
            });
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

  private static Optional<Fault> stamp(CheckScope scope, ReadTransaction tr, Row row) {
    String id = row.key().text(0);
    Optional<CommandRecord> found = new IdempotencyRows(scope.rows(), scope.tenant()).find(tr, id);
    if (found.isEmpty() || row.value().length != STAMP_BYTES) {
      return fault(
          FaultKind.IDEMPOTENCY_BROKEN,
          scope,
          id,
          "The idempotency record lacks its answer, or is damaged.");
    }
    CommandRecord command = found.get();
    String wrong = wrong(scope, tr, command, row.value());
    if (!wrong.isEmpty()) {
      return fault(FaultKind.IDEMPOTENCY_BROKEN, scope, id, "The idempotency record " + wrong);
    }
    DueEntry entry = new DueEntry(command.getExpiresAt(), DueKind.IDEMPOTENCY, scope.tenant(), id);
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

  private static String wrong(
      CheckScope scope, ReadTransaction tr, CommandRecord command, byte[] stamp) {
    if (command.getRequestHash().size() != HASH_BYTES) {
      return "keeps no hash of its request.";
    }
    if (!command.hasLastEvent()) {
      return "";
    }
    PendingEvent last = command.getLastEvent();
    EventId event =
        new PendingEventId(last.getEra(), last.getNumber(), last.getPartition()).complete(stamp);
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
            || command
                .getResponse()
                .toString(StandardCharsets.ISO_8859_1)
                .contains(event.getResourceId()));
  }

  private static Optional<Fault> record(CheckScope scope, ReadTransaction tr, Row row) {
    String id = row.key().text(0);
    byte[] stamp = new IdempotencyRows(scope.rows(), scope.tenant()).stamp(id);
    if (tr.get(stamp).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.IDEMPOTENCY_BROKEN,
                scope.tenant(),
                id,
                "The answer of an idempotency record is there without its stamp.")
            .repairedBy(
                again -> again.get(row.raw()).isPresent() && again.get(stamp).isEmpty(),
                again -> {
                  again.clear(row.raw());
                  again.clear(scope.rows().below(scope.tenant(), TenantSpace.IDEMPOTENCY, id, 0L));
                }));
  }

  private static Optional<Fault> fault(
      FaultKind kind, CheckScope scope, String id, String sentence) {
    return Optional.of(Fault.of(kind, scope.tenant(), id, sentence));
  }
}
