package dev.bridle.core.work.vault;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.UpdateRules;
import dev.bridle.core.work.workspace.WorkspaceOwned;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.vault.v1.CreateVaultRequest;
import dev.bridle.vault.v1.Vault;
import dev.bridle.vault.v1.VaultServiceGrpc;

/**
 * The rules of vaults as a resource (protocol section "Vault"): a vault belongs to a workspace, or
 * all workspaces of the tenant share it.
 */
public final class VaultRules extends WorkspaceOwned<Vault, Vault>
    implements UpdateRules<Vault, Vault> {

  private final RecordStore<Vault> vaults;
  private final int most;

  private VaultRules(CoreContext context) {
    super(new WorkspaceStore(context.layout()));
    this.vaults = VaultStore.VAULT.store(context.layout());
    this.most = context.settings(TenantLimits.class).vaults();
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<Vault, Vault> resource(CoreContext context) {
    return ResourceDef.of(
            VaultStore.VAULT,
            VaultServiceGrpc.getServiceDescriptor(),
            Vault.getDefaultInstance(),
            new VaultRules(context))
        .with(new VaultSecretCalls(context).calls());
  }

  /** Does nothing: the vault's workspace decides on access, see {@link #needChangeable}. */
  @Override
  public void admit(Caller caller) {}

  @Override
  public String workspaceOfNew(ReadTransaction tr, Caller caller, Message request) {
    if (((CreateVaultRequest) request).hasWorkspaceId()) {
      return super.workspaceOfNew(tr, caller, request);
    }
    caller.needWholeTenant();
    return "";
  }

  @Override
  public String workspaceOf(Vault vault) {
    return vault.getWorkspaceId();
  }

  @Override
  public Vault create(Write write, Caller caller, Message request, Vault vault) {
    TenantLimits.needRoom(write, vaults, VaultStore.VAULT, most);
    return vault;
  }

  @Override
  public void checkUpdate(Write write, Caller caller, Vault before, Message request) {
    needChangeable(caller, before);
  }

  @Override
  public Vault update(Write write, Caller caller, Vault before, Vault after) {
    return after;
  }

  /** Changing a vault that all workspaces share requires access to the whole tenant. */
  static void needChangeable(Caller caller, Vault vault) {
    if (!vault.hasWorkspaceId()) {
      caller.needWholeTenant();
    }
  }
}
