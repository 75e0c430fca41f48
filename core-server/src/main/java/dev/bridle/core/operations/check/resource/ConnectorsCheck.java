package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.IngressHash;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IngressStore;
import java.util.Optional;

/** Checks that every connector is found under its ingress path. */
public final class ConnectorsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("connectors of " + scope.tenant());
    IngressStore ingress = new IngressStore(scope.layout());
    RowCheck.eachRecord(
        scope,
        ConnectorStore.CONNECTOR,
        (tr, id, record) ->
            Optional.of(record)
                .filter(connector -> connector.getDeletedAt() == 0)
                .filter(connector -> IngressHash.of(connector).isPresent())
                .filter(connector -> !found(tr, ingress, connector, own(scope, connector)))
                .map(connector -> fault(scope, id, ingress, connector)));
  }

  private static Fault fault(
      CheckScope scope, String id, IngressStore ingress, ConnectorRecord connector) {
    IngressRecord own = own(scope, connector);
    Records records = new Records(scope.rows(), scope.tenant());
    return Fault.of(
            FaultKind.INGRESS_WRONG,
            scope.tenant(),
            connector.getConnector().getId(),
            "The connector's ingress path does not exist, or leads to another connector.")
        .repairedBy(
            again ->
                records.exists(again, ConnectorStore.CONNECTOR, id)
                    && !found(again, ingress, connector, own),
            again ->
                ingress.put(again, IngressHash.of(connector).orElseThrow(), own.toByteArray()));
  }

  private static boolean found(
      ReadTransaction tr, IngressStore ingress, ConnectorRecord connector, IngressRecord own) {
    return ingress
        .find(tr, IngressHash.of(connector).orElseThrow())
        .flatMap(IngressCheck::parse)
        .equals(Optional.of(own));
  }

  private static IngressRecord own(CheckScope scope, ConnectorRecord connector) {
    return IngressRecord.newBuilder()
        .setTenantId(scope.tenant())
        .setConnectorId(connector.getConnector().getId())
        .build();
  }
}
