package dev.bridle.core.work.oauth;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** OAuth clients: like API keys, their secrets are kept as hashes. */
public final class OAuthClients implements TenantSecrets {
  /** The definition of OAuth clients. */
  public static final RecordDef<OAuthClientRecord> OAUTH_CLIENT =
      RecordDef.of(40, "OAuth client", OAuthClientRecord.parser())
          .id(OAuthClientRecord::getId)
          .listed()
          .refersToAll("workspace", OAuthClientRecord::getWorkspaceIdsList)
          .build();

  private final KeyValueStore store;
  private final Installation installation;
  private final RecordStore<OAuthClientRecord> records;
  private final IdMint mint;
  private final Clock clock;

  public OAuthClients(
      KeyValueStore store, KeyLayout layout, Installation installation, IdMint mint, Clock clock) {
    this.store = store;
    this.installation = installation;
    this.records = OAUTH_CLIENT.store(layout);
    this.mint = mint;
    this.clock = clock;
  }

  /**
   * A client that has just been made.
   *
   * @param record the client
   * @param secret what it proves itself with
   */
  public record NewClient(OAuthClientRecord record, String secret) {
    /** Leaves the secret out. */
    @Override
    public String toString() {
      return "NewClient[" + record.getId() + "]";
    }
  }

  /**
   * A client of a tenant.
   *
   * @param tenant the tenant
   * @param record the client
   */
  record Client(String tenant, OAuthClientRecord record) {}

  /**
   * Prepares a client; {@link #insert} stores it. Made outside the transaction, since it is random.
   *
   * @param actor who acts with its tokens; the client's id where empty
   */
  public NewClient prepare(String actor, List<String> scopes, List<String> workspaces) {
    String secret = Secrets.spell(Secrets.CLIENT, mint.bytes(Secrets.BYTES));
    String id = mint.next("client");
    OAuthClientRecord record =
        OAuthClientRecord.newBuilder()
            .setId(id)
            .setActor(actor.isEmpty() ? id : actor)
            .addAllScopes(scopes)
            .addAllWorkspaceIds(workspaces)
            .setCreatedAt(clock.millis())
            .setSecretHash(ByteString.copyFrom(Secrets.hash(secret)))
            .build();
    return new NewClient(record, secret);
  }

  /** Stores a prepared client. */
  public void insert(Transaction tr, String tenant, NewClient client, PendingEventId order) {
    OAuthClientRecord record = client.record();
    records.insert(tr, tenant, record.getId(), record);
    OAUTH_CLIENT.index(records, tr, tenant, record, order);
    installation.putCredential(
        tr,
        record.getSecretHash().toByteArray(),
        CredentialRecord.newBuilder()
            .setTenantId(tenant)
            .setClientId(record.getId())
            .build()
            .toByteArray());
  }

  /**
   * Returns up to {@code limit} clients of a tenant.
   *
   * @param after the position to go on from, as the batch before returned it
   */
  public RecordStore.Batch<OAuthClientRecord> page(
      ReadTransaction tr, String tenant, Optional<byte[]> after, int limit) {
    return records.batch(tr, tenant, RecordDef.ALL, "", after, limit);
  }

  /** Ends a client. Returns it as it stands, empty where there is none of that id. */
  public Optional<OAuthClientRecord> revoke(Transaction tr, String tenant, String id) {
    Optional<OAuthClientRecord> found = records.get(tr, tenant, id);
    if (found.isEmpty() || found.get().getRevokedAt() != 0) {
      return found;
    }
    OAuthClientRecord revoked = found.get().toBuilder().setRevokedAt(clock.millis()).build();
    records.update(tr, tenant, id, found.get(), revoked);
    return Optional.of(revoked);
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<OAuthClientRecord> page = page(tr, tenant, after, limit);
    page.records()
        .forEach(client -> installation.removeCredential(tr, client.getSecretHash().toByteArray()));
    return page.next();
  }

  /** Returns a client that is not revoked. */
  Optional<OAuthClientRecord> active(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id).filter(client -> client.getRevokedAt() == 0);
  }

  /** Returns the client of an id and secret; empty where they are no good, whatever is wrong. */
  Optional<Client> authenticate(String id, String secret) {
    byte[] hash = Secrets.hash(secret);
    return store
        .read(
            tr ->
                installation
                    .credential(tr, hash)
                    .map(OAuthClients::parse)
                    .filter(credential -> !credential.getClientId().isEmpty())
                    .flatMap(
                        credential ->
                            active(tr, credential.getTenantId(), credential.getClientId())
                                .map(record -> new Client(credential.getTenantId(), record))))
        .filter(client -> same(client.record().getId(), id))
        .filter(
            client -> MessageDigest.isEqual(client.record().getSecretHash().toByteArray(), hash));
  }

  private static boolean same(String known, String given) {
    return MessageDigest.isEqual(
        known.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  private static CredentialRecord parse(byte[] bytes) {
    try {
      return CredentialRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored credential is damaged", e);
    }
  }
}
