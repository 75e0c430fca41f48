package dev.bridle.core.operations.admin;

import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.ApiKey;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.admin.v1.HostFolderRequest;
import dev.bridle.admin.v1.HostFolderResponse;
import dev.bridle.admin.v1.ListApiKeysRequest;
import dev.bridle.admin.v1.ListApiKeysResponse;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.admin.v1.RevokeApiKeyResponse;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.ProcessCredentials;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.oauth.ScopeNames;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.ApiKeyRecord;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** What an operator does with a running server. */
public final class AdminService extends AdminServiceGrpc.AdminServiceImplBase {
  private final Tenants tenants;
  private final TenantCredentials keys;
  private final FolderHosts hosts;

  /**
   * Creates the service.
   *
   * @param ofProcess admits the secrets of processes that host agents
   * @param former takes back the leases of such processes
   */
  public AdminService(
      CoreContext context,
      Tenants tenants,
      CredentialStore<ApiKeyRecord> keys,
      ProcessCredentials ofProcess,
      FormerHosts former) {
    this.tenants = tenants;
    this.hosts = new FolderHosts(context, tenants, ofProcess, former);
    this.keys = new TenantCredentials(context, tenants, keys);
  }

  @Override
  public void createApiKey(
      CreateApiKeyRequest request, StreamObserver<CreateApiKeyResponse> response) {
    ScopeNames.check(request.getScopesList());
    String tenant = TenantCredentials.tenantOf(request.getTenantId());
    String actor = request.getActor().isEmpty() ? Tenants.OWNER : request.getActor();
    CredentialStore.Created key =
        tenants.createKey(tenant, actor, request.getScopesList(), request.getWorkspaceIdsList());
    Replies.send(
        response,
        CreateApiKeyResponse.newBuilder()
            .setKey(toKey(tenant, key.credential()))
            .setSecret(key.secret())
            .build());
  }

  @Override
  public void listApiKeys(
      ListApiKeysRequest request, StreamObserver<ListApiKeysResponse> response) {
    Replies.send(
        response,
        ListApiKeysResponse.newBuilder()
            .addAllKeys(keys.list(request.getTenantId(), AdminService::toKey))
            .build());
  }

  @Override
  public void revokeApiKey(
      RevokeApiKeyRequest request, StreamObserver<RevokeApiKeyResponse> response) {
    String tenant = TenantCredentials.tenantOf(request.getTenantId());
    StoredCredential revoked = keys.revoke(tenant, request.getKeyId(), "api_key", "key_id");
    Replies.send(
        response, RevokeApiKeyResponse.newBuilder().setKey(toKey(tenant, revoked)).build());
  }

  @Override
  public void hostFolder(HostFolderRequest request, StreamObserver<HostFolderResponse> response) {
    hosts.admit(request, (ServerCallStreamObserver<HostFolderResponse>) response);
  }

  /** Ends the calls that stay open, since the server stops. */
  public void endStreams() {
    hosts.close();
  }

  private static ApiKey toKey(String tenant, StoredCredential credential) {
    ApiKey.Builder key =
        ApiKey.newBuilder()
            .setId(credential.id())
            .setTenantId(tenant)
            .setActor(credential.actor())
            .addAllScopes(credential.scopes())
            .addAllWorkspaceIds(credential.workspaces())
            .setCreatedAt(Timestamps.fromMillis(credential.createdAt()));
    if (!credential.isActive()) {
      key.setRevokedAt(Timestamps.fromMillis(credential.revokedAt()));
    }
    return key.build();
  }
}
