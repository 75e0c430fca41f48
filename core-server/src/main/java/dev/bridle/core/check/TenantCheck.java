package dev.bridle.core.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rows of a tenant are those of one that is there; of a deleted one, its closed era stays. */
final class TenantCheck {
  private final CheckScope scope;

  TenantCheck(CheckScope scope) {
    this.scope = scope;
  }

  /** Looks at the tenant's record, and returns whether the rest of it can be looked at. */
  boolean isThere() {
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
            Fault.of(
                    FaultKind.TENANT_UNKNOWN,
                    tenant,
                    tenant,
                    "There are rows of the tenant " + tenant + ", which has no tenant record.")
                .when(tr -> record(tr).isEmpty() && !deleted(tr)));
    return value.isPresent();
  }

  private Optional<byte[]> record(ReadTransaction tr) {
    return tr.get(scope.rows().key(scope.tenant(), TenantSpace.TENANT));
  }

  private boolean deleted(ReadTransaction tr) {
    byte[] era = scope.rows().key(scope.tenant(), TenantSpace.ERA);
    List<KeyValue> rows = tr.getRange(scope.rows().tenant(scope.tenant()), 2);
    return rows.isEmpty()
        || (rows.size() == 1
            && Arrays.equals(rows.get(0).key(), era)
            && scope.rows().number(rows.get(0).value()).filter(is -> is < 0).isPresent());
  }

  private static Optional<TenantRecord> parse(byte[] value) {
    try {
      return Optional.of(TenantRecord.parseFrom(value));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
