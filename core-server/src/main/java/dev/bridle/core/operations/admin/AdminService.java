package dev.bridle.core.operations.admin;

import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.ApiKey;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.admin.v1.ListApiKeysRequest;
import dev.bridle.admin.v1.ListApiKeysResponse;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.admin.v1.RevokeApiKeyResponse;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.oauth.ScopeNames;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** What an operator does with a running server. */
public final class AdminService extends AdminServiceGrpc.AdminServiceImplBase {
  private static final int MAX_LISTED = 1000;

  private final KeyValueStore store;
  private final Commands commands;
  private final Tenants tenants;
  private final ApiKeys keys;

  public AdminService(KeyValueStore store, Commands commands, Tenants tenants, ApiKeys keys) {
    this.store = store;
    this.commands = commands;
    this.tenants = tenants;
    this.keys = keys;
  }

  @Override
  public void createApiKey(
      CreateApiKeyRequest request, StreamObserver<CreateApiKeyResponse> response) {
    ScopeNames.check(request.getScopesList());
    String tenant = tenantOf(request.getTenantId());
    String actor = request.getActor().isEmpty() ? Tenants.OWNER : request.getActor();
    ApiKeys.NewKey key =
        tenants.createKey(tenant, actor, request.getScopesList(), request.getWorkspaceIdsList());
    Replies.send(
        response,
        CreateApiKeyResponse.newBuilder()
            .setKey(told(tenant, key.record()))
            .setSecret(key.secret())
            .build());
  }

  @Override
  public void listApiKeys(
      ListApiKeysRequest request, StreamObserver<ListApiKeysResponse> response) {
    List<String> listed =
        request.getTenantId().isEmpty() ? tenants.all(MAX_LISTED) : List.of(request.getTenantId());
    ListApiKeysResponse.Builder list = ListApiKeysResponse.newBuilder();
    for (String tenant : listed) {
      int room = MAX_LISTED - list.getKeysCount();
      if (room > 0) {
        list.addAllKeys(keysOf(tenant, room));
      }
    }
    Replies.send(response, list.build());
  }

  private List<ApiKey> keysOf(String tenant, int limit) {
    List<ApiKeyRecord> records =
        store.read(
            tr -> {
              tenants.need(tr, tenant);
              return keys.list(tr, tenant, limit);
            });
    return records.stream().map(record -> told(tenant, record)).toList();
  }

  @Override
  public void revokeApiKey(
      RevokeApiKeyRequest request, StreamObserver<RevokeApiKeyResponse> response) {
    String tenant = tenantOf(request.getTenantId());
    ApiKeyRecord revoked =
        commands.once(
            tenant,
            Caller.current().actor(),
            write -> {
              tenants.need(write.tr(), tenant);
              return keys.revoke(write.tr(), tenant, request.getKeyId())
                  .orElseThrow(
                      () ->
                          ProtocolException.notFound("api_key", request.getKeyId())
                              .blaming("key_id"));
            });
    Replies.send(response, RevokeApiKeyResponse.newBuilder().setKey(told(tenant, revoked)).build());
  }

  private static String tenantOf(String named) {
    return named.isEmpty() ? Tenants.DEFAULT : named;
  }

  private static ApiKey told(String tenant, ApiKeyRecord record) {
    ApiKey.Builder key =
        ApiKey.newBuilder()
            .setId(record.getId())
            .setTenantId(tenant)
            .setActor(record.getActor())
            .addAllScopes(record.getScopesList())
            .addAllWorkspaceIds(record.getWorkspaceIdsList())
            .setCreatedAt(Timestamps.fromMillis(record.getCreatedAt()));
    if (record.getRevokedAt() != 0) {
      key.setRevokedAt(Timestamps.fromMillis(record.getRevokedAt()));
    }
    return key.build();
  }
}
