package dev.bridle.core.kernel.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * API keys: hashed, bound to an actor, its scopes and its workspaces (protocol section "API key").
 */
public final class ApiKeys implements Credentials, TenantSecrets {
  /** The definition of API keys. */
  public static final RecordDef<ApiKeyRecord> KEY =
      RecordDef.of(1, "API key", ApiKeyRecord.parser())
          .id(ApiKeyRecord::getId)
          .listed()
          .refersToAll("workspace", ApiKeyRecord::getWorkspaceIdsList)
          .build();

  private final KeyValueStore store;
  private final Installation installation;
  private final RecordStore<ApiKeyRecord> records;
  private final IdMint mint;
  private final Clock clock;

  public ApiKeys(
      KeyValueStore store, KeyLayout layout, Installation installation, IdMint mint, Clock clock) {
    this.store = store;
    this.installation = installation;
    this.records = KEY.store(layout);
    this.mint = mint;
    this.clock = clock;
  }

  /**
   * A key that has just been made.
   *
   * @param record the key
   * @param secret what its holder sends as bearer token
   */
  public record NewKey(ApiKeyRecord record, String secret) {
    /** Leaves the secret out. */
    @Override
    public String toString() {
      return "NewKey[" + record.getId() + "]";
    }
  }

  /**
   * Prepares a key; {@link #insert} stores it. Made outside the transaction, since it is random.
   */
  public NewKey prepare(String actor, List<String> scopes, List<String> workspaces) {
    String secret = Secrets.spell(Secrets.KEY, mint.bytes(Secrets.BYTES));
    ApiKeyRecord record =
        ApiKeyRecord.newBuilder()
            .setId(mint.next("key"))
            .setActor(actor)
            .addAllScopes(scopes)
            .addAllWorkspaceIds(workspaces)
            .setCreatedAt(clock.millis())
            .setSecretHash(ByteString.copyFrom(Secrets.hash(secret)))
            .build();
    return new NewKey(record, secret);
  }

  /** Stores a prepared key. */
  public void insert(Transaction tr, String tenant, NewKey key, PendingEventId order) {
    ApiKeyRecord record = key.record();
    records.insert(tr, tenant, record.getId(), record);
    KEY.index(records, tr, tenant, record, order);
    installation.putCredential(
        tr,
        record.getSecretHash().toByteArray(),
        CredentialRecord.newBuilder()
            .setTenantId(tenant)
            .setKeyId(record.getId())
            .build()
            .toByteArray());
  }

  /** Returns up to {@code limit} keys of a tenant, oldest first. */
  public List<ApiKeyRecord> list(ReadTransaction tr, String tenant, int limit) {
    return page(tr, tenant, Optional.empty(), limit).records();
  }

  /**
   * Returns up to {@code limit} keys of a tenant.
   *
   * @param after the position to go on from, as the batch before returned it
   */
  public RecordStore.Batch<ApiKeyRecord> page(
      ReadTransaction tr, String tenant, Optional<byte[]> after, int limit) {
    return records.batch(tr, tenant, RecordDef.ALL, "", after, limit);
  }

  /** Ends a key. Returns it as it stands, empty where there is none of that id. */
  public Optional<ApiKeyRecord> revoke(Transaction tr, String tenant, String id) {
    Optional<ApiKeyRecord> found = records.get(tr, tenant, id);
    if (found.isEmpty() || found.get().getRevokedAt() != 0) {
      return found;
    }
    ApiKeyRecord revoked = found.get().toBuilder().setRevokedAt(clock.millis()).build();
    records.update(tr, tenant, id, found.get(), revoked);
    return Optional.of(revoked);
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<ApiKeyRecord> page = page(tr, tenant, after, limit);
    page.records()
        .forEach(key -> installation.removeCredential(tr, key.getSecretHash().toByteArray()));
    return page.next();
  }

  /** Returns the caller that a secret stands for; empty where it is unknown or revoked. */
  @Override
  public Optional<Caller> authenticate(String secret) {
    byte[] hash = Secrets.hash(secret);
    return store.read(
        tr ->
            installation
                .credential(tr, hash)
                .map(ApiKeys::parse)
                .filter(credential -> credential.getClientId().isEmpty())
                .flatMap(
                    credential ->
                        records
                            .get(tr, credential.getTenantId(), credential.getKeyId())
                            .filter(key -> key.getRevokedAt() == 0)
                            .map(key -> caller(credential.getTenantId(), key))));
  }

  private static Caller caller(String tenant, ApiKeyRecord key) {
    return new Caller(
        tenant,
        key.getActor(),
        Set.copyOf(key.getScopesList()),
        Set.copyOf(key.getWorkspaceIdsList()),
        false);
  }

  private static CredentialRecord parse(byte[] bytes) {
    try {
      return CredentialRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored credential is damaged", e);
    }
  }
}
