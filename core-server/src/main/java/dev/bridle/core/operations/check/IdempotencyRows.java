package dev.bridle.core.operations.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** What a tenant's commands left under their clients' keys. */
final class IdempotencyRows {
  private final Rows rows;
  private final String tenant;

  IdempotencyRows(Rows rows, String tenant) {
    this.rows = rows;
    this.tenant = tenant;
  }

  byte[] stamp(String scope) {
    return rows.key(tenant, TenantSpace.IDEMPOTENCY, scope);
  }

  /** Returns a command's record; empty where it is not there, or damaged. */
  Optional<CommandRecord> find(ReadTransaction tr, String scope) {
    byte[] key = rows.key(tenant, TenantSpace.IDEMPOTENCY, scope, 0L);
    return tr.get(key).flatMap(first -> rows.whole(tr, key, first)).flatMap(IdempotencyRows::parse);
  }

  /** Returns whether something may go then. A record that can't be read is swept by its entry. */
  boolean mayExpire(ReadTransaction tr, String scope, long at) {
    return find(tr, scope)
        .map(record -> record.getExpiresAt() == at)
        .orElseGet(() -> tr.get(stamp(scope)).isPresent());
  }

  static Optional<CommandRecord> parse(byte[] bytes) {
    try {
      return Optional.of(CommandRecord.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
