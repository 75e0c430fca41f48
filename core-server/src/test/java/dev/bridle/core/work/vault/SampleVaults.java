package dev.bridle.core.work.vault;

import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.vault.v1.CreateVaultRequest;
import dev.bridle.vault.v1.SetVaultSecretRequest;
import dev.bridle.vault.v1.Vault;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import io.grpc.Channel;
import java.util.List;

/** Vaults of this server, and secrets in them. */
public final class SampleVaults {
  private SampleVaults() {}

  /** Describes a vault that lets agents read and people write. */
  public static CreateVaultRequest.Builder described() {
    return CreateVaultRequest.newBuilder()
        .setProvider("bridle")
        .addCapabilities("read")
        .addCapabilities("write");
  }

  /** Makes a vault of a workspace; of the tenant where it is empty. */
  public static Vault made(Channel caller, String workspace) {
    CreateVaultRequest.Builder request = described();
    if (!workspace.isEmpty()) {
      request.setWorkspaceId(workspace);
    }
    return VaultServiceGrpc.newBlockingStub(caller).createVault(request.build());
  }

  /** Puts a secret into a vault. */
  public static VaultSecret put(Channel caller, String vault, String name, String value) {
    return VaultServiceGrpc.newBlockingStub(caller)
        .setVaultSecret(
            SetVaultSecretRequest.newBuilder()
                .setVaultId(vault)
                .setSecretName(name)
                .setValue(value)
                .build());
  }

  /** Makes a session whose tasks may use these vaults. Returns its id. */
  public static String session(Channel caller, String... vaults) {
    return SessionServiceGrpc.newBlockingStub(caller)
        .createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId("default")
                .addAllVaultIds(List.of(vaults))
                .build())
        .getId();
  }
}
