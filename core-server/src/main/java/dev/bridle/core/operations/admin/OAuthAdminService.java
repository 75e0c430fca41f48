package dev.bridle.core.operations.admin;

import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.admin.v1.ListOAuthClientsRequest;
import dev.bridle.admin.v1.ListOAuthClientsResponse;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.ListSigningKeysResponse;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthClient;
import dev.bridle.admin.v1.RevokeOAuthClientRequest;
import dev.bridle.admin.v1.RevokeOAuthClientResponse;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyResponse;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.oauth.ScopeNames;
import dev.bridle.core.work.oauth.TokenTimes;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** OAuth clients and signing keys, as operators manage them. */
public final class OAuthAdminService extends OAuthAdminServiceGrpc.OAuthAdminServiceImplBase {
  private static final int MAX_LISTED = 1000;

  /** Until every token that an old key signed has expired, on clocks that differ. */
  private static final Duration KEEP =
      AccessTokens.MAX_LIFETIME.plus(TokenTimes.SKEW).plus(TokenTimes.SKEW);

  private final KeyValueStore store;
  private final Commands commands;
  private final Tenants tenants;
  private final OAuthClients clients;
  private final SigningKeys keys;

  public OAuthAdminService(
      KeyValueStore store,
      Commands commands,
      Tenants tenants,
      OAuthClients clients,
      SigningKeys keys) {
    this.store = store;
    this.commands = commands;
    this.tenants = tenants;
    this.clients = clients;
    this.keys = keys;
  }

  @Override
  public void createOAuthClient(
      CreateOAuthClientRequest request, StreamObserver<CreateOAuthClientResponse> response) {
    ScopeNames.check(request.getScopesList());
    String tenant = tenantOf(request.getTenantId());
    List<String> scopes =
        request.getScopesList().isEmpty() ? List.of(Caller.ALL_SCOPES) : request.getScopesList();
    OAuthClients.NewClient client =
        clients.prepare(request.getActor(), scopes, request.getWorkspaceIdsList());
    var unused =
        commands.once(
            tenant,
            Caller.current().actor(),
            write -> {
              var there = tenants.need(write.tr(), tenant);
              tenants.needWorkspaces(write, request.getWorkspaceIdsList());
              clients.insert(write.tr(), tenant, client, write.order());
              return there;
            });
    Replies.send(
        response,
        CreateOAuthClientResponse.newBuilder()
            .setClient(told(tenant, client.record()))
            .setSecret(client.secret())
            .build());
  }

  @Override
  public void listOAuthClients(
      ListOAuthClientsRequest request, StreamObserver<ListOAuthClientsResponse> response) {
    List<String> listed =
        request.getTenantId().isEmpty() ? tenants.all(MAX_LISTED) : List.of(request.getTenantId());
    ListOAuthClientsResponse.Builder list = ListOAuthClientsResponse.newBuilder();
    for (String tenant : listed) {
      int room = MAX_LISTED - list.getClientsCount();
      if (room > 0) {
        store
            .read(
                tr -> {
                  var unused = tenants.need(tr, tenant);
                  return clients.page(tr, tenant, Optional.empty(), room);
                })
            .records()
            .forEach(record -> list.addClients(told(tenant, record)));
      }
    }
    Replies.send(response, list.build());
  }

  @Override
  public void revokeOAuthClient(
      RevokeOAuthClientRequest request, StreamObserver<RevokeOAuthClientResponse> response) {
    String tenant = tenantOf(request.getTenantId());
    OAuthClientRecord revoked =
        commands.once(
            tenant,
            Caller.current().actor(),
            write -> {
              var unused = tenants.need(write.tr(), tenant);
              return clients
                  .revoke(write.tr(), tenant, request.getClientId())
                  .orElseThrow(
                      () ->
                          ProtocolException.notFound("oauth_client", request.getClientId())
                              .blaming("client_id"));
            });
    Replies.send(
        response, RevokeOAuthClientResponse.newBuilder().setClient(told(tenant, revoked)).build());
  }

  @Override
  public void rotateSigningKey(
      RotateSigningKeyRequest request, StreamObserver<RotateSigningKeyResponse> response) {
    Duration keep = request.getEndOldKeys() ? Duration.ZERO : KEEP;
    RotateSigningKeyResponse.Builder rotated =
        RotateSigningKeyResponse.newBuilder().setKey(told(keys.rotate(SigningPurpose.TOKEN, keep)));
    if (!keys.all(SigningPurpose.CARD).isEmpty()) {
      rotated.setCardKey(told(keys.rotate(SigningPurpose.CARD, keep)));
    }
    Replies.send(response, rotated.build());
  }

  @Override
  public void listSigningKeys(
      ListSigningKeysRequest request, StreamObserver<ListSigningKeysResponse> response) {
    ListSigningKeysResponse.Builder list = ListSigningKeysResponse.newBuilder();
    for (SigningPurpose purpose : SigningPurpose.values()) {
      keys.all(purpose).forEach(key -> list.addKeys(told(key)));
    }
    Replies.send(response, list.build());
  }

  private static String tenantOf(String named) {
    return named.isEmpty() ? Tenants.DEFAULT : named;
  }

  private static OAuthClient told(String tenant, OAuthClientRecord record) {
    OAuthClient.Builder client =
        OAuthClient.newBuilder()
            .setId(record.getId())
            .setTenantId(tenant)
            .setActor(record.getActor())
            .addAllScopes(record.getScopesList())
            .addAllWorkspaceIds(record.getWorkspaceIdsList())
            .setCreatedAt(Timestamps.fromMillis(record.getCreatedAt()));
    if (record.getRevokedAt() != 0) {
      client.setRevokedAt(Timestamps.fromMillis(record.getRevokedAt()));
    }
    return client.build();
  }

  private static dev.bridle.admin.v1.SigningKey told(SigningKey key) {
    var told =
        dev.bridle.admin.v1.SigningKey.newBuilder()
            .setId(key.id())
            .setPurpose(key.purpose().spelling())
            .setCreatedAt(Timestamps.fromMillis(key.createdAt()));
    key.retiredAt().ifPresent(at -> told.setRetiredAt(Timestamps.fromMillis(at)));
    key.endsAt().ifPresent(at -> told.setEndsAt(Timestamps.fromMillis(at)));
    return told.build();
  }
}
