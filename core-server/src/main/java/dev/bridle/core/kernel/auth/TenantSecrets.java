package dev.bridle.core.kernel.auth;

import dev.bridle.storage.Transaction;
import java.util.Optional;

/** Secrets that authenticate callers of a tenant, and are deleted with it. */
public interface TenantSecrets {
  /**
   * Deletes up to {@code limit} secrets of a tenant that is being deleted, oldest first.
   *
   * @param after the position to continue from, as returned by the previous call
   * @return the position of the last deleted one; empty if there are no more
   */
  Optional<byte[]> forgetSecrets(Transaction tr, String tenant, Optional<byte[]> after, int limit);
}
