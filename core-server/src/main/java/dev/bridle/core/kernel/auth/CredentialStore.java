package dev.bridle.core.kernel.auth;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the credentials of one kind. A secret is kept as its hash, by which its holder is found:
 *
 * <pre>
 * tenant / RECORD / kind, id            → record
 * tenant / INDEX / kind, ALL, …         → id
 * INSTALLATION / CREDENTIAL, hash       → CredentialRecord
 * </pre>
 *
 * @param <M> the record
 */
public final class CredentialStore<M extends MessageLite> implements TenantSecrets {
  private final CredentialKind<M> kind;
  private final RecordStore<M> records;
  private final Installation installation;
  private final IdMint mint;
  private final Clock clock;

  /** Keeps credentials of a kind. */
  public CredentialStore(
      CredentialKind<M> kind,
      KeyLayout layout,
      Installation installation,
      IdMint mint,
      Clock clock) {
    this.kind = kind;
    this.records = kind.record().store(layout);
    this.installation = installation;
    this.mint = mint;
    this.clock = clock;
  }

  /**
   * A credential that has just been created.
   *
   * @param credential the credential
   * @param secret what its holder sends; it is shown once
   */
  public record Created(StoredCredential credential, String secret) {
    /** Leaves the secret out. */
    @Override
    public String toString() {
      return "Created[" + credential.id() + "]";
    }
  }

  /**
   * A credential of a tenant.
   *
   * @param tenant the tenant
   * @param credential the credential
   */
  public record Owned(String tenant, StoredCredential credential) {}

  /**
   * Prepares a credential, which {@link #insert} stores. It is random, so this runs outside the
   * transaction.
   *
   * @param actor who acts with it; its own id where empty
   */
  public Created prepare(String actor, List<String> scopes, List<String> workspaces) {
    return prepare(actor, scopes, workspaces, spell(mint.bytes(Secrets.BYTES)));
  }

  /** Returns the secret that some random bytes are, as its holder sends it. */
  public String spell(byte[] random) {
    return Secrets.spell(kind.secretPrefix(), random);
  }

  /**
   * Prepares a credential whose secret the caller has made.
   *
   * @param actor who acts with it; its own id where empty
   * @param secret the secret, as {@link #spell} returns it
   */
  public Created prepare(
      String actor, List<String> scopes, List<String> workspaces, String secret) {
    String id = mint.next(kind.idPrefix());
    return new Created(
        new StoredCredential(
            id,
            actor.isEmpty() ? id : actor,
            scopes,
            workspaces,
            clock.millis(),
            0,
            ByteString.copyFrom(Secrets.hash(secret))),
        secret);
  }

  /** Stores a prepared credential. */
  public void insert(Transaction tr, String tenant, Created created, PendingEventId order) {
    StoredCredential credential = created.credential();
    M record = kind.toRecord().apply(credential);
    records.insert(tr, tenant, credential.id(), record);
    kind.record().index(records, tr, tenant, record, order);
    CredentialRecord.Builder found = CredentialRecord.newBuilder().setTenantId(tenant);
    kind.setId().accept(found, credential.id());
    installation.putCredential(
        tr, credential.secretHash().toByteArray(), found.build().toByteArray());
  }

  /**
   * Returns up to {@code limit} credentials of a tenant, oldest first.
   *
   * @param after the position to go on from, as the batch before returned it
   */
  public RecordStore.Batch<StoredCredential> page(
      ReadTransaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<M> page = records.batch(tr, tenant, RecordDef.ALL, "", after, limit);
    return new RecordStore.Batch<>(
        page.records().stream().map(kind.toCredential()).toList(), page.next());
  }

  /** Revokes a credential. Returns it as it stands; empty where there is none of that id. */
  public Optional<StoredCredential> revoke(Transaction tr, String tenant, String id) {
    Optional<M> found = records.get(tr, tenant, id);
    Optional<StoredCredential> credential = found.map(kind.toCredential());
    if (credential.filter(StoredCredential::isActive).isEmpty()) {
      return credential;
    }
    StoredCredential revoked = credential.get().revoked(clock.millis());
    records.update(tr, tenant, id, found.get(), kind.toRecord().apply(revoked));
    return Optional.of(revoked);
  }

  /** Returns a credential that is not revoked. */
  public Optional<StoredCredential> active(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id).map(kind.toCredential()).filter(StoredCredential::isActive);
  }

  /** Returns the credential of a secret; empty where it is unknown, revoked or of another kind. */
  public Optional<Owned> find(ReadTransaction tr, String secret) {
    return installation
        .credential(tr, Secrets.hash(secret))
        .map(CredentialStore::parse)
        .filter(found -> !kind.id().apply(found).isEmpty())
        .flatMap(
            found ->
                active(tr, found.getTenantId(), kind.id().apply(found))
                    .map(credential -> new Owned(found.getTenantId(), credential)));
  }

  @Override
  public Optional<byte[]> forgetSecrets(
      Transaction tr, String tenant, Optional<byte[]> after, int limit) {
    RecordStore.Batch<StoredCredential> page = page(tr, tenant, after, limit);
    page.records()
        .forEach(
            credential -> installation.removeCredential(tr, credential.secretHash().toByteArray()));
    return page.next();
  }

  private static CredentialRecord parse(byte[] bytes) {
    try {
      return CredentialRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored credential is damaged", e);
    }
  }
}
