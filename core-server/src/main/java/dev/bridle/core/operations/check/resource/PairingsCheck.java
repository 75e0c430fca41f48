package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.relay.PairingStore;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.PairingRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.PairingIndex;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Arrays;
import java.util.Optional;

/** Checks that every code and nonce leads to a pairing that has it. */
public final class PairingsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("codes of pairings");
    RowCheck.clearing(
        scope,
        scope.rows().below(SystemSpace.PAIRING),
        (tr, row) ->
            known(scope, tr, row)
                ? ""
                : "A code leads to a pairing that does not exist, or has another one.",
        (row, wrong) ->
            Fault.of(
                FaultKind.PAIRING_WRONG,
                PairingIndex.Found.parse(row.value()).map(PairingIndex.Found::tenant).orElse(""),
                "pairing",
                wrong));
  }

  private static boolean known(CheckScope scope, ReadTransaction tr, Row row) {
    Optional<PairingIndex.Found> at = PairingIndex.Found.parse(row.value());
    Optional<PairingRecord> pairing =
        at.flatMap(
            found ->
                new Records(scope.rows(), found.tenant())
                    .find(tr, RelayRecords.PAIRING, found.nonce()));
    byte[] hash = row.key().bytes(0);
    return pairing
        .filter(
            of ->
                Arrays.equals(hash, of.getCodeHash().toByteArray())
                    || Arrays.equals(hash, PairingStore.hash(of.getNonce())))
        .isPresent();
  }
}
