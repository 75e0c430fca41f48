package dev.bridle.core.operations.check.rule;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantData;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/**
 * Checks that rows of a tenant belong to an existing tenant. Of a deleted one only the closed era
 * remains.
 */
public final class TenantCheck {
  private final CheckScope scope;

  public TenantCheck(CheckScope scope) {
    this.scope = scope;
  }

  /** Checks the tenant's record, and returns whether the rest of the tenant can be checked. */
  public boolean isThere() {
    String tenant = scope.tenant();
    Optional<byte[]> value = scope.store().read(this::record);
    Optional<TenantRecord> record = value.flatMap(TenantCheck::parse);
    if (record.filter(found -> found.getDeletingAt() != 0).isPresent()) {
      scope.findings().notChecked("The tenant " + tenant + " is being deleted.");
      return false;
    }
    if (value.isPresent() && record.isEmpty()) {
      scope
          .findings()
          .suspect(
              Fault.of(
                  FaultKind.VALUE_DAMAGED,
                  tenant,
                  tenant,
                  "The record of the tenant " + tenant + " can't be read."));
    }
    scope
        .findings()
        .suspect(
            scope.store().read(this::closed)
                ? Fault.of(
                        FaultKind.TENANT_UNKNOWN,
                        tenant,
                        tenant,
                        "A late write left rows of the tenant " + tenant + ", which is deleted.")
                    .repairedBy(
                        this::leftBehind, tr -> new TenantData(scope.layout()).clear(tr, tenant))
                : Fault.of(
                        FaultKind.TENANT_UNKNOWN,
                        tenant,
                        tenant,
                        "There are rows of the tenant " + tenant + ", which has no tenant record.")
                    .when(tr -> record(tr).isEmpty() && any(tr, 1) && !closed(tr)));
    return value.isPresent();
  }

  /** Returns whether the scope's tenant exists and is not being deleted. */
  public static boolean alive(CheckScope scope, ReadTransaction tr) {
    return new TenantCheck(scope)
        .record(tr)
        .flatMap(TenantCheck::parse)
        .filter(found -> found.getDeletingAt() == 0)
        .isPresent();
  }

  private Optional<byte[]> record(ReadTransaction tr) {
    return tr.get(scope.rows().key(scope.tenant(), TenantSpace.TENANT));
  }

  /** Returns whether a deleted tenant has rows other than its era. */
  private boolean leftBehind(ReadTransaction tr) {
    return record(tr).isEmpty() && closed(tr) && any(tr, 2);
  }

  private boolean closed(ReadTransaction tr) {
    return tr.get(scope.rows().eventKeys().eraKey(scope.tenant()))
        .flatMap(scope.rows()::number)
        .filter(era -> era < 0)
        .isPresent();
  }

  private boolean any(ReadTransaction tr, int rows) {
    return tr.getRange(scope.rows().tenant(scope.tenant()), rows).size() == rows;
  }

  private static Optional<TenantRecord> parse(byte[] value) {
    try {
      return Optional.of(TenantRecord.parseFrom(value));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
