package dev.bridle.core.operations.admin;

import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.ListOAuthClientsRequest;
import dev.bridle.admin.v1.ListOAuthClientsResponse;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.ListSigningKeysResponse;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthClient;
import dev.bridle.admin.v1.RevokeOAuthClientRequest;
import dev.bridle.admin.v1.RevokeOAuthClientResponse;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.RevokeSigningKeyResponse;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyResponse;
import dev.bridle.admin.v1.TrustReceiptKeyRequest;
import dev.bridle.admin.v1.TrustReceiptKeyResponse;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.core.work.oauth.AccessTokens;
import dev.bridle.core.work.oauth.ScopeNames;
import dev.bridle.core.work.oauth.TokenTimes;
import dev.bridle.core.work.receipt.KeySuccessions;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.OAuthClientRecord;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** OAuth clients and signing keys, as operators manage them. */
public final class OAuthAdminService extends OAuthAdminServiceGrpc.OAuthAdminServiceImplBase {
  /** Until every token that an old key signed has expired, on clocks that differ. */
  private static final Duration KEEP =
      AccessTokens.MAX_LIFETIME.plus(TokenTimes.SKEW).plus(TokenTimes.SKEW);

  private final CoreContext context;
  private final Tenants tenants;
  private final CredentialStore<OAuthClientRecord> clients;
  private final TenantCredentials ofTenants;
  private final SigningKeys keys;
  private final KeySuccessions successions;
  private final TenantKeys importedKeys;

  public OAuthAdminService(
      CoreContext context,
      Tenants tenants,
      CredentialStore<OAuthClientRecord> clients,
      SigningKeys keys,
      KeySuccessions successions) {
    this.context = context;
    this.tenants = tenants;
    this.clients = clients;
    this.ofTenants = new TenantCredentials(context, tenants, clients);
    this.keys = keys;
    this.successions = successions;
    this.importedKeys = new TenantKeys(context, tenants);
  }

  @Override
  public void createOAuthClient(
      CreateOAuthClientRequest request, StreamObserver<CreateOAuthClientResponse> response) {
    ScopeNames.check(request.getScopesList());
    String tenant = TenantCredentials.tenantOf(request.getTenantId());
    List<String> scopes =
        request.getScopesList().isEmpty() ? List.of(Caller.ALL_SCOPES) : request.getScopesList();
    CredentialStore.Created client =
        clients.prepare(request.getActor(), scopes, request.getWorkspaceIdsList());
    var unused =
        context
            .commands()
            .once(
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
            .setClient(toClient(tenant, client.credential()))
            .setSecret(client.secret())
            .build());
  }

  @Override
  public void listOAuthClients(
      ListOAuthClientsRequest request, StreamObserver<ListOAuthClientsResponse> response) {
    Replies.send(
        response,
        ListOAuthClientsResponse.newBuilder()
            .addAllClients(ofTenants.list(request.getTenantId(), OAuthAdminService::toClient))
            .build());
  }

  @Override
  public void revokeOAuthClient(
      RevokeOAuthClientRequest request, StreamObserver<RevokeOAuthClientResponse> response) {
    String tenant = TenantCredentials.tenantOf(request.getTenantId());
    StoredCredential revoked =
        ofTenants.revoke(tenant, request.getClientId(), "oauth_client", "client_id");
    Replies.send(
        response,
        RevokeOAuthClientResponse.newBuilder().setClient(toClient(tenant, revoked)).build());
  }

  @Override
  public void rotateSigningKey(
      RotateSigningKeyRequest request, StreamObserver<RotateSigningKeyResponse> response) {
    Duration keep = request.getEndOldKeys() ? Duration.ZERO : KEEP;
    RotateSigningKeyResponse.Builder rotated =
        RotateSigningKeyResponse.newBuilder()
            .setKey(toShownKey(keys.rotate(SigningPurpose.TOKEN, keep)));
    if (!keys.all(SigningPurpose.CARD).isEmpty()) {
      rotated.setCardKey(toShownKey(keys.rotate(SigningPurpose.CARD, keep)));
    }
    if (!keys.all(SigningPurpose.RECEIPT).isEmpty()) {
      rotated.setReceiptKey(toShownKey(successions.rotate(!request.getEndOldKeys())));
    }
    Replies.send(response, rotated.build());
  }

  @Override
  public void revokeSigningKey(
      RevokeSigningKeyRequest request, StreamObserver<RevokeSigningKeyResponse> response) {
    long since = Timestamps.toMillis(request.getCompromisedSince());
    if (since <= 0 || since > context.clock().millis()) {
      throw ProtocolException.invalid("compromised_since", "is in the future, or before 1970");
    }
    try {
      Replies.send(response, revoked(request.getKeyId(), since));
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid(
          "compromised_since", "is later than what was declared before; it may only move back");
    }
  }

  private RevokeSigningKeyResponse revoked(String id, long since) {
    RevokeSigningKeyResponse.Builder revoked = RevokeSigningKeyResponse.newBuilder();
    Optional<SigningKeys.Declared> declared =
        keys.declareCompromised(SigningPurpose.RECEIPT, id, since, ReceiptKeys.KEEP);
    declared.map(one -> toShownKey(one.key())).ifPresent(revoked::setKey);
    declared
        .flatMap(SigningKeys.Declared::successor)
        .ifPresent(key -> revoked.setNewKey(toShownKey(key)));
    // A tenant may have it from an import, too: of this installation, or of another one.
    List<ImportedReceiptKey> imported = importedKeys.declareCompromised(id, since);
    if (declared.isEmpty() && imported.isEmpty()) {
      throw ProtocolException.notFound("receipt signing key", id);
    }
    if (declared.isEmpty()
        && imported.stream()
            .allMatch(key -> Timestamps.toMillis(key.getCompromisedSince()) < since)) {
      throw new IllegalArgumentException("the time may only move back");
    }
    return revoked.addAllImportedKeys(imported).build();
  }

  @Override
  public void trustReceiptKey(
      TrustReceiptKeyRequest request, StreamObserver<TrustReceiptKeyResponse> response) {
    List<ImportedReceiptKey> confirmed = importedKeys.confirm(request.getKeyId());
    if (confirmed.isEmpty()) {
      throw ProtocolException.notFound("imported receipt key", request.getKeyId());
    }
    Replies.send(response, TrustReceiptKeyResponse.newBuilder().addAllKeys(confirmed).build());
  }

  @Override
  public void listSigningKeys(
      ListSigningKeysRequest request, StreamObserver<ListSigningKeysResponse> response) {
    ListSigningKeysResponse.Builder list = ListSigningKeysResponse.newBuilder();
    for (SigningPurpose purpose : SigningPurpose.values()) {
      keys.all(purpose).forEach(key -> list.addKeys(toShownKey(key)));
    }
    TenantKeys.Listed imported = importedKeys.all();
    list.addAllImportedKeys(imported.shown()).setImportedKeysLeftOut(imported.leftOut());
    Replies.send(response, list.build());
  }

  private static OAuthClient toClient(String tenant, StoredCredential credential) {
    OAuthClient.Builder client =
        OAuthClient.newBuilder()
            .setId(credential.id())
            .setTenantId(tenant)
            .setActor(credential.actor())
            .addAllScopes(credential.scopes())
            .addAllWorkspaceIds(credential.workspaces())
            .setCreatedAt(Timestamps.fromMillis(credential.createdAt()));
    if (!credential.isActive()) {
      client.setRevokedAt(Timestamps.fromMillis(credential.revokedAt()));
    }
    return client.build();
  }

  private static dev.bridle.admin.v1.SigningKey toShownKey(SigningKey key) {
    var shown =
        dev.bridle.admin.v1.SigningKey.newBuilder()
            .setId(key.id())
            .setPurpose(key.purpose().spelling())
            .setCreatedAt(Timestamps.fromMillis(key.createdAt()));
    key.retiredAt().ifPresent(at -> shown.setRetiredAt(Timestamps.fromMillis(at)));
    key.endsAt().ifPresent(at -> shown.setEndsAt(Timestamps.fromMillis(at)));
    key.compromise()
        .ifPresent(one -> shown.setCompromisedSince(Timestamps.fromMillis(one.since())));
    return shown.build();
  }
}
