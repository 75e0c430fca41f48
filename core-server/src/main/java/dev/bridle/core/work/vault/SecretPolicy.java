package dev.bridle.core.work.vault;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.vault.v1.Vault;

/**
 * Decides whether a worker may use a secret of its task's session. Called for each use, in the
 * transaction that records it, before the value is decrypted.
 */
public interface SecretPolicy {
  /**
   * Returns normally if the use is allowed.
   *
   * @throws dev.bridle.core.kernel.error.ProtocolException {@code policy_violation} if it is not
   */
  void check(ReadTransaction tr, Use use);

  /**
   * The use to check.
   *
   * @param tenant the tenant
   * @param task the task, which the caller holds
   * @param vault the vault, which the task's session names
   * @param name the secret's name
   */
  record Use(String tenant, TaskRecord task, Vault vault, String name) {}
}
