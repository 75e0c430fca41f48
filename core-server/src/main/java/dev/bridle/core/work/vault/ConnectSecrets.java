package dev.bridle.core.work.vault;

import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.KeptSecret;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.vault.v1.Vault;
import java.util.List;
import java.util.Optional;

/**
 * Opens secrets of vaults for the server's own use, to authenticate to other systems or to verify
 * them: the vault's capabilities must include {@code connect}.
 */
public final class ConnectSecrets {
  /** The capability of a vault whose secrets the server itself may use. */
  private static final String CONNECT = "connect";

  private final VaultStore vaults;
  private final SecretStore secrets;

  public ConnectSecrets(CoreContext context) {
    this.vaults = new VaultStore(context.layout());
    this.secrets = new SecretStore(context.layout(), context.seals());
  }

  /**
   * Checks that a caller may use a secret in a workspace, and that it exists.
   *
   * @param param the member of the request that names it
   */
  public void needUsable(
      ReadTransaction tr, Caller caller, String workspace, SecretName secret, String param) {
    var unused = vaults.givenTo(tr, caller, workspace, secret.getVaultId(), param + ".vault_id");
    try {
      var unusedSecret = find(tr, caller.tenant(), secret);
    } catch (ProtocolException absent) {
      throw absent.blaming(param);
    }
  }

  /**
   * Opens a secret; {@code resource_not_found} or {@code policy_violation} if it can't be opened.
   */
  public OpenedSecret open(ReadTransaction tr, String tenant, SecretName secret) {
    return secrets.open(tr, tenant, secret.getVaultId(), find(tr, tenant, secret));
  }

  /**
   * Returns who has set values of a secret, as far as it is known: who sets a secret decides what
   * is got with it. Empty if none is named, or if there is no such secret.
   */
  public List<String> setBy(ReadTransaction tr, String tenant, SecretName secret) {
    return Optional.of(secret)
        .filter(named -> !named.getName().isEmpty())
        .flatMap(named -> secrets.find(tr, tenant, named.getVaultId(), named.getName()))
        .<List<String>>map(KeptSecret::getSetByList)
        .orElse(List.of());
  }

  private KeptSecret find(ReadTransaction tr, String tenant, SecretName secret) {
    Vault vault =
        vaults
            .find(tr, tenant, secret.getVaultId())
            .orElseThrow(() -> VaultSecrets.absent(secret.getName()));
    VaultSecrets.need(vault, CONNECT);
    return secrets
        .find(tr, tenant, secret.getVaultId(), secret.getName())
        .orElseThrow(() -> VaultSecrets.absent(secret.getName()));
  }
}
