package dev.bridle.core.work.receipt;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptKeyState;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * The public keys of other installations that came with imports, by tenant. What an unconfirmed one
 * has signed agrees with itself, and nothing is known of who made it.
 */
public final class ImportedKeys {
  /** The definition of public keys that came with imports. */
  public static final RecordDef<ReceiptKeyRecord> RECEIPT_KEY =
      RecordDef.of(94, "receipt key", ReceiptKeyRecord.parser())
          .id(ReceiptKeyRecord::getId)
          .exported()
          .build();

  /** How many a tenant has at most: more than installations have. */
  public static final int MOST = 1000;

  private final RecordStore<ReceiptKeyRecord> keys;

  /** Creates the store of a layout. */
  public ImportedKeys(KeyLayout layout) {
    this.keys = RECEIPT_KEY.store(layout);
  }

  /** Returns the keys of a tenant by their ids. */
  public List<ReceiptKeyRecord> all(ReadTransaction tr, String tenant) {
    return keys.withPrefix(tr, tenant, "", "", MOST);
  }

  /** Returns those of a tenant that are trusted. */
  public List<VerificationKey> confirmed(ReadTransaction tr, String tenant) {
    return all(tr, tenant).stream()
        .filter(ImportedKeys::isConfirmed)
        .map(ImportedKeys::verificationKey)
        .toList();
  }

  /** Returns those of a tenant that nobody has confirmed. */
  public List<VerificationKey> unconfirmed(ReadTransaction tr, String tenant) {
    return all(tr, tenant).stream()
        .filter(key -> !isConfirmed(key))
        .map(ImportedKeys::verificationKey)
        .toList();
  }

  /** Returns whether a key is trusted. Those from before states were kept are. */
  public static boolean isConfirmed(ReceiptKeyRecord key) {
    return key.getState() != ReceiptKeyState.RECEIPT_KEY_STATE_UNCONFIRMED;
  }

  /**
   * Returns a key as it is stored after an import that brings it once more. What was confirmed
   * stays so, and a confirmed key never counts for longer than before.
   *
   * @param there the stored key; empty if there is none
   * @param brought the key of the file
   * @param trusted the key as the operator gives it, or as it is confirmed here; empty if neither
   * @param signedFor the installation for which the key itself has signed the file; empty if it has
   *     not, and the file says nothing of it then
   */
  public static ReceiptKeyRecord joined(
      Optional<ReceiptKeyRecord> there,
      ReceiptKeyRecord brought,
      Optional<VerificationKey> trusted,
      Optional<String> signedFor) {
    if (trusted.isEmpty()) {
      return there.orElse(
          withState(
              brought.toBuilder().clearInstallation().build(),
              ReceiptKeyState.RECEIPT_KEY_STATE_UNCONFIRMED));
    }
    ReceiptKeyRecord known =
        there
            .filter(ImportedKeys::isConfirmed)
            .orElseGet(
                () ->
                    withState(
                        record(brought, trusted.get()),
                        ReceiptKeyState.RECEIPT_KEY_STATE_CONFIRMED));
    ReceiptKeyRecord given = record(brought, trusted.get());
    ReceiptKeyRecord heard =
        narrowed(known, given).toBuilder()
            .setCreatedAt(Math.max(known.getCreatedAt(), given.getCreatedAt()))
            .build();
    return signedFor
        .map(
            installation ->
                narrowed(heard, brought).toBuilder().setInstallation(installation).build())
        .orElse(heard);
  }

  private static ReceiptKeyRecord withState(ReceiptKeyRecord key, ReceiptKeyState state) {
    return key.toBuilder().setState(state).build();
  }

  private static ReceiptKeyRecord narrowed(ReceiptKeyRecord there, ReceiptKeyRecord brought) {
    ReceiptKeyRecord.Builder joined = there.toBuilder();
    if (brought.getRetiredAt() != 0) {
      retire(joined, brought.getRetiredAt());
    }
    if (brought.getCompromisedSince() != 0) {
      narrow(joined, brought.getCompromisedSince(), brought.getDeclaredAt());
    }
    return joined.build();
  }

  /** Returns a key as the operator gives it. */
  static ReceiptKeyRecord given(VerificationKey key) {
    ReceiptKeyRecord itself =
        ReceiptKeyRecord.newBuilder()
            .setId(key.id())
            .setPublicKey(ByteString.copyFrom(key.publicKey()))
            .setState(ReceiptKeyState.RECEIPT_KEY_STATE_CONFIRMED)
            .build();
    return record(itself, key);
  }

  /** Returns a key as the operator gives it, whatever the file says of its times. */
  private static ReceiptKeyRecord record(ReceiptKeyRecord brought, VerificationKey given) {
    KeyValidity validity = given.validity();
    ReceiptKeyRecord.Builder key =
        brought.toBuilder()
            .clearCreatedAt()
            .clearRetiredAt()
            .clearCompromisedSince()
            .clearDeclaredAt()
            .clearInstallation();
    ReceiptKeys.createdAt(validity).ifPresent(key::setCreatedAt);
    validity.expiresAt().ifPresent(second -> key.setRetiredAt(ReceiptKeys.retiredAt(second)));
    validity.revocation().ifPresent(one -> revoked(key, one));
    return key.build();
  }

  private static void revoked(ReceiptKeyRecord.Builder key, KeyValidity.Revocation how) {
    if (how.reason().equals(KeyValidity.Revocation.SUPERSEDED)) {
      retire(key, ReceiptKeys.retiredAt(how.at()));
    } else {
      key.setCompromisedSince(Math.max(1, how.compromisedSince().orElse(0) * 1000))
          .setDeclaredAt(how.at() * 1000);
    }
  }

  private static void retire(ReceiptKeyRecord.Builder key, long retiredAt) {
    key.setRetiredAt(key.getRetiredAt() == 0 ? retiredAt : Math.min(key.getRetiredAt(), retiredAt));
  }

  /**
   * Confirms a key: who does knows whose it is. What an unverified file said of its times counts
   * for nothing. Returns it; empty if the tenant has none of that id.
   */
  public Optional<ReceiptKeyRecord> confirm(Transaction tr, String tenant, String id) {
    return change(
        tr,
        tenant,
        id,
        key ->
            isConfirmed(key.build())
                ? key
                : key.setState(ReceiptKeyState.RECEIPT_KEY_STATE_CONFIRMED)
                    .clearCreatedAt()
                    .clearRetiredAt()
                    .clearCompromisedSince()
                    .clearDeclaredAt());
  }

  /**
   * Declares that others may have had a key since a time. An earlier time that was declared before
   * stays. Returns the key; empty if the tenant has none of that id.
   */
  public Optional<ReceiptKeyRecord> declareCompromised(
      Transaction tr, String tenant, String id, long since, long nowMillis) {
    return change(tr, tenant, id, key -> narrow(key, since, nowMillis));
  }

  private Optional<ReceiptKeyRecord> change(
      Transaction tr, String tenant, String id, UnaryOperator<ReceiptKeyRecord.Builder> how) {
    return keys.get(tr, tenant, id)
        .map(
            there -> {
              ReceiptKeyRecord changed = how.apply(there.toBuilder()).build();
              if (!changed.equals(there)) {
                keys.update(tr, tenant, id, there, changed);
              }
              return changed;
            });
  }

  private static ReceiptKeyRecord.Builder narrow(
      ReceiptKeyRecord.Builder key, long since, long declaredAt) {
    return key.getCompromisedSince() != 0 && key.getCompromisedSince() <= since
        ? key
        : key.setCompromisedSince(since).setDeclaredAt(declaredAt);
  }

  /** Returns a key as it came with an import. */
  public static VerificationKey verificationKey(ReceiptKeyRecord key) {
    KeyValidity validity =
        ReceiptKeys.validity(
            key.getCreatedAt(),
            key.getRetiredAt() == 0 ? OptionalLong.empty() : OptionalLong.of(key.getRetiredAt()));
    return VerificationKey.of(
        key.getPublicKey().toByteArray(),
        key.getCompromisedSince() == 0
            ? validity
            : ReceiptKeys.compromised(validity, key.getDeclaredAt(), key.getCompromisedSince()));
  }
}
