package dev.bridle.core.kernel.auth;

import dev.bridle.storage.Transaction;
import java.util.Optional;

/** Secrets that stand for somebody of a tenant, and end with it. */
public interface TenantSecrets {
  /**
   * Ends up to {@code limit} secrets of a tenant that is deleted, oldest first: they stand for
   * nobody any more.
   *
   * @param after the position to go on from, as the page before returned it
   * @return the position of the last one, empty where there are no more
   */
  Optional<byte[]> forgetSecrets(Transaction tr, String tenant, Optional<byte[]> after, int limit);
}
