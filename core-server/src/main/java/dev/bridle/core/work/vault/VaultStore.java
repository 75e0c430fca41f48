package dev.bridle.core.work.vault;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.vault.v1.Vault;
import java.util.Optional;

/**
 * Finds vaults, which are stored without their secrets:
 *
 * <pre>
 * tenant / RECORD / VAULT, id                      → Vault
 * tenant / INDEX / VAULT, ALL | WORKSPACE, …       → id
 * </pre>
 */
public final class VaultStore {
  /** The definition of vaults. */
  public static final RecordDef<Vault> VAULT =
      RecordDef.of(50, "vault", Vault.parser())
          .id(Vault::getId)
          .listed()
          .indexedWhere(Vault::hasWorkspaceId, RecordDef.BY_WORKSPACE, Vault::getWorkspaceId)
          .refersTo("workspace", Vault::getWorkspaceId)
          .withStream()
          .exported(export -> export.inPhase("VAULTS").takenAlong())
          .build();

  private static final String READ_SCOPE = "vaults:read";

  private final RecordStore<Vault> records;

  public VaultStore(KeyLayout layout) {
    this.records = VAULT.store(layout);
  }

  /** Returns a vault that the caller can access; {@code resource_not_found} otherwise. */
  Vault need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller.tenant(), id)
        .filter(vault -> reached(caller, vault))
        .orElseThrow(() -> absent(id));
  }

  /** Returns a vault of a tenant. */
  Optional<Vault> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /**
   * Returns the id of a vault that a session of a workspace may use; rejects the member of the
   * request that names it otherwise. The caller needs the scope to read vaults.
   */
  public String givenTo(
      ReadTransaction tr, Caller caller, String workspace, String id, String param) {
    Vault vault =
        find(tr, caller.tenant(), id)
            .filter(found -> caller.holds(READ_SCOPE) && reached(caller, found))
            .orElseThrow(() -> absent(id).blaming(param));
    if (vault.hasWorkspaceId() && !vault.getWorkspaceId().equals(workspace)) {
      throw ProtocolException.invalid(
          param, "names a vault of another workspace; name one of this workspace or the tenant");
    }
    return id;
  }

  /** Returns whether a caller can access a vault: one of its workspaces, or one that all share. */
  static boolean reached(Caller caller, Vault vault) {
    return !vault.hasWorkspaceId() || caller.reaches(vault.getWorkspaceId());
  }

  private static ProtocolException absent(String id) {
    return ProtocolException.notFound(VAULT.name(), id);
  }
}
