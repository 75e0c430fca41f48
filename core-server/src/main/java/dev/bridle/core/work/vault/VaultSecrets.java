package dev.bridle.core.work.vault;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.vault.v1.Vault;
import java.util.Optional;

/** Opens secrets for workers that hold a task whose session names the vault. */
public final class VaultSecrets {
  /** The capability of a vault whose secrets agents may read. */
  static final String READ = "read";

  /** The capability of a vault whose secrets can be set, rotated and deleted. */
  static final String WRITE = "write";

  private final VaultStore vaults;
  private final SecretStore secrets;
  private final SecretPolicy policy;

  public VaultSecrets(VaultStore vaults, SecretStore secrets, SecretPolicy policy) {
    this.vaults = vaults;
    this.secrets = secrets;
    this.policy = policy;
  }

  /**
   * Opens a secret for the holder of a task.
   *
   * @param vault the vault's id; empty: the first of the session's vaults that has the secret
   * @throws ProtocolException {@code resource_not_found} if no vault of the session has it, {@code
   *     policy_violation} if the vault or the policy denies it
   */
  public OpenedSecret open(
      ReadTransaction tr,
      String tenant,
      TaskRecord task,
      Session session,
      String vault,
      String name) {
    for (String id : session.getVaultIdsList()) {
      if (vault.isEmpty() || vault.equals(id)) {
        Optional<KeptSecret> found = secrets.find(tr, tenant, id, name);
        if (found.isPresent()) {
          Vault of = vaults.find(tr, tenant, id).orElseThrow();
          need(of, READ);
          policy.check(tr, new SecretPolicy.Use(tenant, task, of, name));
          return secrets.open(tr, tenant, id, found.get());
        }
      }
    }
    throw absent(name);
  }

  /** Checks that a vault has a capability; {@code policy_violation} otherwise. */
  static void need(Vault vault, String capability) {
    if (!vault.getCapabilitiesList().contains(capability)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION, "The vault lacks the capability for this.")
          .with("vault_id", vault.getId())
          .with("capability", capability);
    }
  }

  static ProtocolException absent(String name) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
            "There is no such " + SecretStore.SECRET.name() + ".")
        .with("secret_name", name);
  }
}
