package dev.bridle.core.operations.check.resource;

import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.core.integrations.connector.DeliveryStore;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.DeadLetterRecord;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** Checks that every delivery has its body while it needs one, and that dead letters are listed. */
public final class DeliveriesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("deliveries of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        DeliveryStore.DELIVERY,
        (tr, id, delivery) -> fault(scope, records, tr, id, delivery));
    RowCheck.eachRecord(
        scope,
        DeliveryStore.DEAD_LETTER,
        (tr, id, letter) ->
            dead(records, tr, letter)
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                        FaultKind.DELIVERY_WRONG,
                        scope.tenant(),
                        letter.getDeliveryId(),
                        "A delivery that has not failed is among the dead letters.")));
  }

  private static boolean dead(Records records, ReadTransaction tr, DeadLetterRecord letter) {
    String id = DeliveryStore.id(letter.getConnectorId(), letter.getDeliveryId());
    return records.find(tr, DeliveryStore.DELIVERY, id).filter(DeliveriesCheck::failed).isPresent();
  }

  private static boolean failed(DeliveryRecord record) {
    return record.getDelivery().getStatus() == DeliveryStatus.DELIVERY_STATUS_FAILED;
  }

  /**
   * Returns the fault of a failed delivery that the list of dead letters lacks; earlier releases
   * had no list.
   */
  private static Optional<Fault> unlisted(
      CheckScope scope, Records records, ReadTransaction tr, DeliveryRecord record) {
    Delivery delivery = record.getDelivery();
    DeadLetterRecord letter =
        DeadLetterRecord.newBuilder()
            .setConnectorId(delivery.getConnectorId())
            .setDeliveryId(delivery.getId())
            .build();
    if (!failed(record)
        || records.find(tr, DeliveryStore.DEAD_LETTER, delivery.getId()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        Fault.of(
                FaultKind.DELIVERY_WRONG,
                scope.tenant(),
                delivery.getId(),
                "A delivery that failed is not among the dead letters.")
            .repairedBy(
                again -> dead(records, again, letter),
                again ->
                    DeliveryStore.DEAD_LETTER
                        .store(scope.layout())
                        .insert(again, scope.tenant(), delivery.getId(), letter)));
  }

  private static Optional<Fault> fault(
      CheckScope scope, Records records, ReadTransaction tr, String id, DeliveryRecord record) {
    Delivery delivery = record.getDelivery();
    boolean body = records.find(tr, DeliveryStore.DELIVERY_BODY, id).isPresent();
    boolean waits =
        delivery.getStatus() == DeliveryStatus.DELIVERY_STATUS_RECEIVED
            || delivery.getStatus() == DeliveryStatus.DELIVERY_STATUS_FAILED;
    if (body != waits) {
      return Optional.of(
          Fault.of(
              FaultKind.DELIVERY_WRONG,
              scope.tenant(),
              id,
              waits
                  ? "The delivery can't be processed: its body does not exist."
                  : "The delivery has ended, but its body is kept."));
    }
    return unlisted(scope, records, tr, record);
  }
}
