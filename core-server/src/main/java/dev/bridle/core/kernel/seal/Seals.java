package dev.bridle.core.kernel.seal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.MasterKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.security.GeneralSecurityException;
import java.util.Optional;

/**
 * Seals (encrypts) secrets for storage and opens (decrypts) them. A sealed value opens only with
 * the master key, and only in the context that it was sealed for.
 *
 * <pre>{@code
 * EncryptionContext context = EncryptionContext.of(tenant, "vault", vaultId, "secret", name);
 * byte[] stored = seals.seal(write.tr(), context, secret);
 * byte[] secret = seals.open(context, stored);
 * }</pre>
 *
 * <p>The first value that is sealed records the master key's id in storage, in the same
 * transaction; from then on a server with another master key is rejected. A sealed value is 33
 * bytes longer than the secret. Exports leave sealed values out, and backups hold them without the
 * key.
 */
public final class Seals {
  private static final EncryptionContext PROOF = EncryptionContext.ofInstallation("master-key");

  private final Installation installation;
  private final Optional<MasterKey> key;

  /** Creates a sealer; without a key nothing can be sealed or opened. */
  public Seals(Installation installation, Optional<MasterKey> key) {
    this.installation = installation;
    this.key = key;
  }

  /** Returns the id of the master key that storage was sealed with; empty if nothing is sealed. */
  public static Optional<String> usedBy(KeyValueStore store) {
    return store
        .read(new Installation(KeyLayout.root())::masterKey)
        .map(record -> MasterKey.spelled(parse(record).getKeyId()));
  }

  /** Returns whether there is a key to seal with. */
  public boolean hasKey() {
    return key.isPresent();
  }

  /**
   * Checks that the key, if there is one, is the one that storage was sealed with.
   *
   * @throws MasterKeyException if it is another
   */
  public void check(ReadTransaction tr) {
    key.ifPresent(held -> installation.masterKey(tr).ifPresent(record -> check(held, record)));
  }

  /**
   * Seals a secret, in the transaction that stores it. Each call yields other bytes, since the
   * nonce is random.
   */
  public byte[] seal(Transaction tr, EncryptionContext context, byte[] secret) {
    MasterKey held = key.orElseThrow(Seals::missing);
    Optional<byte[]> known = installation.masterKey(tr);
    if (known.isEmpty()) {
      MasterKeyRecord record =
          MasterKeyRecord.newBuilder()
              .setKeyId(held.id())
              .setProof(ByteString.copyFrom(encrypt(held, PROOF, new byte[0])))
              .build();
      installation.putMasterKey(tr, record.toByteArray());
    } else {
      check(held, known.get());
    }
    return encrypt(held, context, secret);
  }

  /** Opens a value that was sealed for this context. */
  public byte[] open(EncryptionContext context, byte[] sealed) {
    MasterKey held = key.orElseThrow(Seals::missing);
    return decrypt(held, context, sealed)
        .orElseThrow(
            () ->
                new MasterKeyException(
                    "A stored value does not open with the master key: it is damaged, or was"
                        + " sealed with another key or for another place."));
  }

  private static void check(MasterKey held, byte[] record) {
    MasterKeyRecord known = parse(record);
    if (!held.opens(known.getKeyId())
        || decrypt(held, PROOF, known.getProof().toByteArray()).isEmpty()) {
      throw new MasterKeyException(
          "The stored secrets were sealed with the master key "
              + MasterKey.spelled(known.getKeyId())
              + ", which the keyset of "
              + MasterKey.spelled(held.id())
              + " does not hold.");
    }
  }

  private static byte[] encrypt(MasterKey held, EncryptionContext context, byte[] secret) {
    try {
      return held.aead().encrypt(secret, context.associatedData());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a value can't be sealed", e);
    }
  }

  private static Optional<byte[]> decrypt(
      MasterKey held, EncryptionContext context, byte[] sealed) {
    try {
      return Optional.of(held.aead().decrypt(sealed, context.associatedData()));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static MasterKeyRecord parse(byte[] bytes) {
    try {
      return MasterKeyRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the stored master key's id is damaged", e);
    }
  }

  private static ProtocolException missing() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
        "This server has no master key, so nothing can be sealed or opened; its operator gives one"
            + " with --master-key-file.");
  }
}
