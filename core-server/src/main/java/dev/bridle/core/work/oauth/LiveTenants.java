package dev.bridle.core.work.oauth;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.Installation;

/** Checks that a token's tenant exists: a token may outlive it. */
public final class LiveTenants {
  private final Installation installation;

  public LiveTenants(Installation installation) {
    this.installation = installation;
  }

  /** Returns whether there is such a tenant, which is not being deleted. */
  public boolean has(ReadTransaction tr, String tenant) {
    return installation
        .tenant(tr, tenant)
        .filter(bytes -> parse(bytes).getDeletingAt() == 0)
        .isPresent();
  }

  private static TenantRecord parse(byte[] bytes) {
    try {
      return TenantRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored tenant is damaged", e);
    }
  }
}
