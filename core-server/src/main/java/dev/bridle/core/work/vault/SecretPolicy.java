package dev.bridle.core.work.vault;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.vault.v1.Vault;

/**
 * Who of those that hold a task whose session names a vault is given a secret of it. Asked for each
 * use, in the transaction that records it, before the value is opened.
 */
public interface SecretPolicy {
  /**
   * Returns where the use is allowed.
   *
   * @throws dev.bridle.core.kernel.error.ProtocolException {@code policy_violation} where it is not
   */
  void check(ReadTransaction tr, Use use);

  /**
   * What is asked for.
   *
   * @param tenant the tenant
   * @param task the task, which the caller holds
   * @param vault the vault, which the task's session names
   * @param name the secret's name
   */
  record Use(String tenant, TaskRecord task, Vault vault, String name) {}
}
