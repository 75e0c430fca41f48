package dev.bridle.core.operations.check.resource;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.IngressHash;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Arrays;
import java.util.Optional;

/** Checks that every ingress path belongs to a connector with the same path. */
public final class IngressCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("paths for deliveries");
    RowCheck.each(
        scope,
        scope.rows().below(SystemSpace.INGRESS),
        (tr, row) -> {
          Optional<IngressRecord> owner = parse(row.value());
          if (owner.isEmpty()) {
            return Optional.of(
                Fault.of(FaultKind.VALUE_DAMAGED, "", "ingress", "A path's owner can't be read."));
          }
          if (known(scope, tr, row, owner.get())) {
            return Optional.empty();
          }
          return Optional.of(
              Fault.of(
                      FaultKind.INGRESS_WRONG,
                      owner.get().getTenantId(),
                      owner.get().getConnectorId(),
                      "An ingress path leads to a connector that does not exist, or has"
                          + " another one.")
                  .clearing(row, again -> !known(scope, again, row, owner.get())));
        });
  }

  private static boolean known(CheckScope scope, ReadTransaction tr, Row row, IngressRecord owner) {
    return new Records(scope.rows(), owner.getTenantId())
        .find(tr, ConnectorStore.CONNECTOR, owner.getConnectorId())
        .filter(connector -> connector.getDeletedAt() == 0)
        .filter(
            connector ->
                IngressHash.of(connector)
                    .filter(hash -> Arrays.equals(hash, row.key().bytes(0)))
                    .isPresent())
        .isPresent();
  }

  public static Optional<IngressRecord> parse(byte[] bytes) {
    try {
      return Optional.of(IngressRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
