package dev.bridle.core.work.oauth;

import dev.bridle.core.kernel.auth.CredentialKind;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** OAuth clients: they exchange id and secret for access tokens. */
public final class OAuthClients {
  /** The definition of OAuth clients. */
  public static final RecordDef<OAuthClientRecord> OAUTH_CLIENT =
      RecordDef.of(40, "OAuth client", OAuthClientRecord.parser())
          .id(OAuthClientRecord::getId)
          .listed()
          .refersToAll("workspace", OAuthClientRecord::getWorkspaceIdsList)
          .build();

  /** OAuth clients as a kind of credential. */
  public static final CredentialKind<OAuthClientRecord> KIND =
      new CredentialKind<>(
          OAUTH_CLIENT,
          "client",
          Secrets.CLIENT,
          OAuthClients::toRecord,
          OAuthClients::toCredential,
          CredentialRecord.Builder::setClientId,
          CredentialRecord::getClientId);

  private final KeyValueStore store;
  private final CredentialStore<OAuthClientRecord> clients;

  public OAuthClients(KeyValueStore store, CredentialStore<OAuthClientRecord> clients) {
    this.store = store;
    this.clients = clients;
  }

  /** Returns a client that is not revoked. */
  Optional<StoredCredential> active(ReadTransaction tr, String tenant, String id) {
    return clients.active(tr, tenant, id);
  }

  /** Returns the client of an id and secret; empty where they don't fit, whatever is wrong. */
  Optional<CredentialStore.Owned> authenticate(String id, String secret) {
    byte[] hash = Secrets.hash(secret);
    return store
        .read(tr -> clients.find(tr, secret))
        .filter(client -> same(client.credential().id(), id))
        .filter(
            client -> MessageDigest.isEqual(client.credential().secretHash().toByteArray(), hash));
  }

  private static boolean same(String known, String given) {
    return MessageDigest.isEqual(
        known.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  private static OAuthClientRecord toRecord(StoredCredential client) {
    return OAuthClientRecord.newBuilder()
        .setId(client.id())
        .setActor(client.actor())
        .addAllScopes(client.scopes())
        .addAllWorkspaceIds(client.workspaces())
        .setCreatedAt(client.createdAt())
        .setRevokedAt(client.revokedAt())
        .setSecretHash(client.secretHash())
        .build();
  }

  private static StoredCredential toCredential(OAuthClientRecord client) {
    return new StoredCredential(
        client.getId(),
        client.getActor(),
        client.getScopesList(),
        client.getWorkspaceIdsList(),
        client.getCreatedAt(),
        client.getRevokedAt(),
        client.getSecretHash());
  }
}
