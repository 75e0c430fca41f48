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
 * Seals secrets for storage and opens them. What is sealed opens only with the master key, and only
 * for the place that it was sealed for.
 *
 * <pre>{@code
 * SealedPlace place = SealedPlace.of(tenant, "vault", vaultId, "secret", name);
 * byte[] stored = seals.seal(write.tr(), place, secret);
 * byte[] secret = seals.open(place, stored);
 * }</pre>
 *
 * <p>The first value that is sealed notes the master key's id in storage, in its own transaction;
 * from then on storage and that key belong together, and whoever comes with another is refused. A
 * sealed value is 33 bytes longer than the secret. Exports leave sealed values out, and backups
 * hold them without the key.
 */
public final class Seals {
  private static final SealedPlace PROOF = SealedPlace.ofInstallation("master-key");

  private final Installation installation;
  private final Optional<MasterKey> key;

  /** Seals with a key; without one nothing can be sealed or opened. */
  public Seals(Installation installation, Optional<MasterKey> key) {
    this.installation = installation;
    this.key = key;
  }

  /** Returns the id of the master key that storage belongs to; empty where nothing is sealed. */
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
   * Checks that the key, where there is one, is the one that storage was sealed with.
   *
   * @throws MasterKeyException where it is another
   */
  public void check(ReadTransaction tr) {
    key.ifPresent(held -> installation.masterKey(tr).ifPresent(record -> check(held, record)));
  }

  /**
   * Seals a secret, in the transaction that stores it. Random, so that the same secret never looks
   * the same twice.
   */
  public byte[] seal(Transaction tr, SealedPlace place, byte[] secret) {
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
    return encrypt(held, place, secret);
  }

  /** Opens what was sealed for this place. */
  public byte[] open(SealedPlace place, byte[] sealed) {
    MasterKey held = key.orElseThrow(Seals::missing);
    return decrypt(held, place, sealed)
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

  private static byte[] encrypt(MasterKey held, SealedPlace place, byte[] secret) {
    try {
      return held.aead().encrypt(secret, place.associatedData());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a value can't be sealed", e);
    }
  }

  private static Optional<byte[]> decrypt(MasterKey held, SealedPlace place, byte[] sealed) {
    try {
      return Optional.of(held.aead().decrypt(sealed, place.associatedData()));
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
