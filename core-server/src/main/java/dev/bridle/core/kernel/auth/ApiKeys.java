package dev.bridle.core.kernel.auth;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.storage.KeyValueStore;
import java.util.Optional;
import java.util.Set;

/**
 * API keys: bound to an actor, its scopes and its workspaces (protocol section "API key"). Their
 * secrets are bearer tokens.
 */
public final class ApiKeys implements Credentials {
  /** The definition of API keys. */
  public static final RecordDef<ApiKeyRecord> KEY =
      RecordDef.of(1, "API key", ApiKeyRecord.parser())
          .id(ApiKeyRecord::getId)
          .listed()
          .refersToAll("workspace", ApiKeyRecord::getWorkspaceIdsList)
          .build();

  /** API keys as a kind of credential. */
  public static final CredentialKind<ApiKeyRecord> KIND =
      new CredentialKind<>(
          KEY,
          "key",
          Secrets.KEY,
          ApiKeys::toRecord,
          ApiKeys::toCredential,
          CredentialRecord.Builder::setKeyId,
          CredentialRecord::getKeyId);

  private final KeyValueStore store;
  private final CredentialStore<ApiKeyRecord> keys;

  public ApiKeys(KeyValueStore store, CredentialStore<ApiKeyRecord> keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Returns the caller that a secret stands for; empty where it is unknown or revoked. */
  @Override
  public Optional<Caller> authenticate(String secret) {
    return store.read(tr -> keys.find(tr, secret)).map(ApiKeys::caller);
  }

  private static Caller caller(CredentialStore.Owned key) {
    return new Caller(
        key.tenant(),
        key.credential().actor(),
        Set.copyOf(key.credential().scopes()),
        Set.copyOf(key.credential().workspaces()),
        false);
  }

  private static ApiKeyRecord toRecord(StoredCredential key) {
    return ApiKeyRecord.newBuilder()
        .setId(key.id())
        .setActor(key.actor())
        .addAllScopes(key.scopes())
        .addAllWorkspaceIds(key.workspaces())
        .setCreatedAt(key.createdAt())
        .setRevokedAt(key.revokedAt())
        .setSecretHash(key.secretHash())
        .build();
  }

  private static StoredCredential toCredential(ApiKeyRecord key) {
    return new StoredCredential(
        key.getId(),
        key.getActor(),
        key.getScopesList(),
        key.getWorkspaceIdsList(),
        key.getCreatedAt(),
        key.getRevokedAt(),
        key.getSecretHash());
  }
}
