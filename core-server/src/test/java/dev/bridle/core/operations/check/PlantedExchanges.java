package dev.bridle.core.operations.check;

import dev.bridle.core.integrations.relay.RelayAudit;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.ExchangeRecord;
import dev.bridle.record.v1.RelayAuditRecord;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;

/** Faults in exchanges of the relay and in the mailboxes that they stand in. */
final class PlantedExchanges {
  private static final String APPROVER = "approver/phone";
  private static final long EXCHANGE = 111;
  private static final long ARTIFACT = 112;
  private static final long DECISION = 113;
  private static final long AUDIT = 118;
  private static final long DUE = 14;

  private PlantedExchanges() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of an exchange lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.pendingExchange))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.pendingExchange;
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of an exchange that is due at another time",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(tenant.pendingExchange.hashCode(), 4),
                          5L,
                          DUE,
                          Stored.TENANT,
                          tenant.pendingExchange),
                      new byte[0]);
                  return tenant.pendingExchange;
                })
            .mended(),
        Plant.of(
                FaultKind.MAILBOX_WRONG,
                "an exchange that an approver's mailbox lacks",
                (tenant, stored) -> {
                  stored
                      .list(TenantSpace.MAILBOX, APPROVER)
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.pendingExchange;
                })
            .mended("mailbox", "mailbox_place", "wake"),
        Plant.of(
                FaultKind.MAILBOX_WRONG,
                "an exchange whose place in a mailbox is lost",
                (tenant, stored) -> {
                  stored.clear(
                      stored.key(TenantSpace.MAILBOX_PLACE, APPROVER, tenant.pendingExchange));
                  return tenant.pendingExchange;
                })
            .mended("mailbox", "mailbox_place", "wake"),
        Plant.of(
                FaultKind.MAILBOX_WRONG,
                "an exchange whose place in a mailbox can't be read",
                (tenant, stored) -> {
                  stored.set(
                      stored.key(TenantSpace.MAILBOX_PLACE, APPROVER, tenant.pendingExchange),
                      new byte[3]);
                  return tenant.pendingExchange;
                })
            .mended("mailbox", "mailbox_place", "wake"),
        Plant.of(
                FaultKind.MAILBOX_ORPHANED,
                "a place in a mailbox of an exchange that was decided",
                (tenant, stored) -> {
                  stored.set(
                      stored.key(TenantSpace.MAILBOX_PLACE, APPROVER, tenant.decidedExchange),
                      new byte[15]);
                  return tenant.decidedExchange;
                })
            .mended(),
        Plant.of(
                FaultKind.MAILBOX_ORPHANED,
                "a row of a mailbox for an exchange that is not there",
                (tenant, stored) -> {
                  byte[] row = stored.list(TenantSpace.MAILBOX, APPROVER).get(0).raw();
                  stored.set(row, stored.rows.value("nothing"));
                  return APPROVER;
                })
            .mended("mailbox", "mailbox_place", "wake"),
        Plant.of(
            FaultKind.EXCHANGE_WRONG,
            "an exchange that expires at another time than it is due",
            (tenant, stored) -> {
              stored.<ExchangeRecord>changed(
                  EXCHANGE,
                  tenant.pendingExchange,
                  ExchangeRecord.parser(),
                  record ->
                      record.toBuilder()
                          .setExpiresAtMillis(record.getExpiresAtMillis() + 1)
                          .build());
              return tenant.pendingExchange;
            }),
        Plant.of(
            FaultKind.EXCHANGE_WRONG,
            "a decided exchange without its outcome",
            (tenant, stored) -> {
              stored.<ExchangeRecord>changed(
                  EXCHANGE,
                  tenant.decidedExchange,
                  ExchangeRecord.parser(),
                  record -> record.toBuilder().clearOutcome().build());
              return tenant.decidedExchange;
            }),
        Plant.of(
                FaultKind.PAIRING_WRONG,
                "a code that leads to no pairing",
                (tenant, stored) -> {
                  stored.set(
                      stored.rows.key(SystemSpace.PAIRING, new byte[32]),
                      stored.list(SystemSpace.PAIRING).get(0).value());
                  return "pairing";
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_MISSING,
                "the due entry of a pairing lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.DUE).stream()
                      .filter(row -> row.key().text(4).equals(tenant.pairing))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.pairing;
                })
            .mended(),
        Plant.of(
            FaultKind.AUDIT_WRONG,
            "an entry of the audit log that names another party",
            (tenant, stored) -> {
              stored.<RelayAuditRecord>changed(
                  AUDIT,
                  RelayAudit.id(1),
                  RelayAuditRecord.parser(),
                  record ->
                      record.toBuilder()
                          .setEntry(record.getEntry().toBuilder().setPartyId("nobody"))
                          .build());
              return RelayAudit.id(1);
            }),
        Plant.of(
            FaultKind.AUDIT_WRONG,
            "an entry lost from the middle of the audit log",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.RECORD, AUDIT, RelayAudit.id(2)));
              return RelayAudit.id(3);
            }),
        lost("the artifact of an exchange lost", ARTIFACT),
        lost("the decision of an exchange lost", DECISION));
  }

  private static Plant lost(String name, long kind) {
    return Plant.of(
        FaultKind.REFERENCE_BROKEN,
        name,
        (tenant, stored) -> {
          stored.clear(stored.key(TenantSpace.RECORD, kind, tenant.decidedExchange));
          return tenant.decidedExchange;
        });
  }
}
