package dev.bridle.core.kernel.signing;

import com.google.crypto.tink.subtle.Ed25519Sign;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.seal.EncryptionContext;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.record.v1.SigningKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.SigningKeyStore;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The installation's Ed25519 keys. The newest of a purpose signs; retired ones verify until what
 * they signed has expired. They are read from storage each time, so that a rotation takes effect in
 * every process at once.
 */
public final class SigningKeys {
  private static final int SEED_BYTES = 32;

  private final KeyValueStore store;
  private final SigningKeyStore keys;
  private final Seals seals;
  private final IdMint mint;
  private final Clock clock;

  public SigningKeys(CoreContext context) {
    this.store = context.store();
    this.keys = new SigningKeyStore(context.layout());
    this.seals = context.seals();
    this.mint = context.mint();
    this.clock = context.clock();
  }

  /** Returns whether this server can sign: without a master key it can't. */
  public boolean canSign() {
    return seals.hasKey();
  }

  /** Returns the current signing key pair with its private half; creates it if there is none. */
  public OctetKeyPair current(SigningPurpose purpose) {
    Optional<Stored> found = store.read(tr -> newest(tr, purpose));
    if (found.isPresent()) {
      return open(purpose, found.get());
    }
    NewKey made = make();
    return store.transact(
        tr -> {
          Optional<Stored> meanwhile = newest(tr, purpose);
          if (meanwhile.isPresent()) {
            return open(purpose, meanwhile.get());
          }
          var unused = insert(tr, purpose, made);
          return made.pair();
        });
  }

  /**
   * A signing key as it is stored. Its text has no secret: the private half is sealed.
   *
   * @param purpose what it signs
   * @param id its id
   * @param createdAt when it was created, in Unix milliseconds
   * @param sealedSeed its private half
   */
  public record Sealed(SigningPurpose purpose, String id, long createdAt, ByteString sealedSeed) {}

  /**
   * Returns the key that signs in a transaction, read with a conflict, so that nothing is signed
   * with a key after its rotation; creates it if there is none.
   */
  public Sealed currentIn(Transaction tr, SigningPurpose purpose) {
    Optional<Stored> found = newest(tr, purpose);
    if (found.isPresent()) {
      return sealed(purpose, found.get());
    }
    NewKey made = make();
    return sealed(purpose, new Stored(made.id(), insert(tr, purpose, made)));
  }

  /** Returns the key that signs now; empty if none was made yet. */
  public Optional<Sealed> newestIn(ReadTransaction tr, SigningPurpose purpose) {
    return newest(tr, purpose).map(stored -> sealed(purpose, stored));
  }

  private static Sealed sealed(SigningPurpose purpose, Stored stored) {
    return new Sealed(
        purpose,
        stored.id(),
        stored.record().getCreatedAt(),
        stored.record().getSealedPrivateKey());
  }

  /** Returns the private half of a key: the 32 bytes of its seed. */
  public byte[] open(Sealed key) {
    return seals.open(context(key.purpose(), key.id()), key.sealedSeed().toByteArray());
  }

  /** Returns the public key of an id, where it may verify now. */
  public Optional<OctetKeyPair> verifying(ReadTransaction tr, SigningPurpose purpose, String id) {
    return keys.get(tr, purpose.spelling(), id)
        .map(bytes -> toSigningKey(purpose, new Stored(id, parse(bytes))))
        .filter(key -> key.verifiesAt(clock.millis()))
        .map(SigningKey::key);
  }

  /** Returns all keys of a purpose that are stored, without their private halves, newest first. */
  public static List<SigningKey> stored(
      ReadTransaction tr, KeyLayout layout, SigningPurpose purpose) {
    return stored(tr, new SigningKeyStore(layout), purpose).stream()
        .map(one -> toSigningKey(purpose, one))
        .toList();
  }

  /** Returns the keys that sign or still verify, newest first. */
  public List<SigningKey> all(SigningPurpose purpose) {
    long now = clock.millis();
    return store.read(tr -> stored(tr, purpose)).stream()
        .map(one -> toSigningKey(purpose, one))
        .filter(key -> key.verifiesAt(now))
        .toList();
  }

  /**
   * Creates a new key, which signs from now on and which no other key vouches for. Parameters as of
   * {@link #rotate(SigningPurpose, Duration, SuccessionSigner)}.
   */
  public SigningKey rotate(SigningPurpose purpose, Duration keep) {
    return rotate(purpose, keep, (old, next, nowMillis) -> ByteString.EMPTY);
  }

  /**
   * Creates a new key, which signs from now on.
   *
   * @param keep how long retired keys keep verifying; those that have ended are deleted at the next
   *     rotation
   * @param successor has the old key vouch for the new one, in the same transaction
   */
  public SigningKey rotate(SigningPurpose purpose, Duration keep, SuccessionSigner successor) {
    NewKey made = make();
    long now = clock.millis();
    long endsAt = now + keep.toMillis();
    return store.transact(
        tr -> {
          // Present if an earlier attempt was applied but its outcome was unknown.
          Optional<byte[]> known = keys.get(tr, purpose.spelling(), made.id());
          SigningKeyRecord record =
              known.isPresent()
                  ? parse(known.get())
                  : replace(tr, purpose, made, new KeyReplacement(now, endsAt, successor));
          return toSigningKey(purpose, new Stored(made.id(), record));
        });
  }

  /**
   * The keys after a declaration.
   *
   * @param key the one that is declared compromised
   * @param successor the one that signs from now on, if the other one did
   */
  public record Declared(SigningKey key, Optional<SigningKey> successor) {}

  /**
   * Declares that others may have had a key. If it signs, a new key takes its place in the same
   * transaction.
   *
   * @param since since when, in Unix milliseconds
   * @param keep how long the retired key keeps verifying
   * @return empty if there is no such key
   * @throws IllegalArgumentException if an earlier time was declared before
   */
  public Optional<Declared> declareCompromised(
      SigningPurpose purpose, String id, long since, Duration keep) {
    NewKey made = make();
    long now = clock.millis();
    return store.transact(
        tr -> {
          Optional<byte[]> found = keys.get(tr, purpose.spelling(), id);
          if (found.isEmpty()) {
            return Optional.empty();
          }
          SigningKeyRecord record = parse(found.get());
          if (record.getCompromisedSince() != 0 && since > record.getCompromisedSince()) {
            throw new IllegalArgumentException("an earlier time was declared before");
          }
          SigningKeyRecord.Builder changed = record.toBuilder();
          if (since != record.getCompromisedSince()) {
            changed.setCompromisedSince(since).setDeclaredAt(now);
          }
          boolean isSigning = record.getRetiredAt() == 0;
          if (isSigning) {
            changed.setRetiredAt(now).setEndsAt(now + keep.toMillis());
          }
          keys.put(tr, purpose.spelling(), id, changed.build().toByteArray());
          // Where an earlier attempt was applied with an unknown outcome, the key is retired.
          Optional<Stored> successor =
              isSigning
                  ? Optional.of(new Stored(made.id(), insert(tr, purpose, made)))
                  : Optional.empty();
          return Optional.of(
              new Declared(
                  toSigningKey(purpose, new Stored(id, changed.build())),
                  successor.map(one -> toSigningKey(purpose, one))));
        });
  }

  private SigningKeyRecord replace(
      Transaction tr, SigningPurpose purpose, NewKey key, KeyReplacement asked) {
    List<Stored> before = stored(tr, purpose);
    // Keys follow each other in time, also where a clock was set back.
    long newest = before.stream().mapToLong(old -> old.record().getCreatedAt()).max().orElse(0);
    NewKey made = key.notBefore(newest + 1);
    KeyReplacement how = asked.notBefore(newest);
    ByteString succession =
        before.stream()
            .filter(old -> old.record().getRetiredAt() == 0)
            .findFirst()
            .filter(old -> old.record().getCompromisedSince() == 0)
            .map(
                old ->
                    how.successor()
                        .signed(sealed(purpose, old), made.pair().toPublicJWK(), how.now()))
            .orElse(ByteString.EMPTY);
    before.forEach(old -> retire(tr, purpose, old, how.now(), how.endsAt()));
    return insert(tr, purpose, made, succession);
  }

  private void retire(Transaction tr, SigningPurpose purpose, Stored old, long now, long endsAt) {
    SigningKeyRecord record = old.record();
    if (record.getEndsAt() != 0 && record.getEndsAt() <= now) {
      keys.remove(tr, purpose.spelling(), old.id());
      return;
    }
    SigningKeyRecord.Builder retired = record.toBuilder();
    if (record.getRetiredAt() == 0) {
      retired.setRetiredAt(now).setEndsAt(endsAt);
    }
    retired.setEndsAt(Math.min(retired.getEndsAt(), endsAt));
    keys.put(tr, purpose.spelling(), old.id(), retired.build().toByteArray());
  }

  private SigningKeyRecord insert(Transaction tr, SigningPurpose purpose, NewKey made) {
    return insert(tr, purpose, made, ByteString.EMPTY);
  }

  private SigningKeyRecord insert(
      Transaction tr, SigningPurpose purpose, NewKey made, ByteString succession) {
    byte[] sealed = seals.seal(tr, context(purpose, made.id()), made.pair().getD().decode());
    SigningKeyRecord record =
        made.record().toBuilder()
            .setSealedPrivateKey(ByteString.copyFrom(sealed))
            .setSuccession(succession)
            .build();
    keys.put(tr, purpose.spelling(), made.id(), record.toByteArray());
    return record;
  }

  private Optional<Stored> newest(ReadTransaction tr, SigningPurpose purpose) {
    return stored(tr, purpose).stream().filter(one -> one.record().getRetiredAt() == 0).findFirst();
  }

  private List<Stored> stored(ReadTransaction tr, SigningPurpose purpose) {
    return stored(tr, keys, purpose);
  }

  private static List<Stored> stored(
      ReadTransaction tr, SigningKeyStore keys, SigningPurpose purpose) {
    return keys.all(tr, purpose.spelling()).stream()
        .map(row -> new Stored(row.id(), parse(row.record())))
        .sorted(Comparator.comparingLong((Stored one) -> one.record().getCreatedAt()).reversed())
        .toList();
  }

  private OctetKeyPair open(SigningPurpose purpose, Stored stored) {
    byte[] secret =
        seals.open(
            context(purpose, stored.id()), stored.record().getSealedPrivateKey().toByteArray());
    return new OctetKeyPair.Builder(publicKey(stored)).d(Base64URL.encode(secret)).build();
  }

  private static EncryptionContext context(SigningPurpose purpose, String id) {
    return EncryptionContext.ofInstallation("signing-key", purpose.spelling(), id);
  }

  private static SigningKey toSigningKey(SigningPurpose purpose, Stored stored) {
    SigningKeyRecord record = stored.record();
    return new SigningKey(
        purpose,
        publicKey(stored),
        record.getCreatedAt(),
        time(record.getRetiredAt()),
        time(record.getEndsAt()),
        record.getCompromisedSince() == 0
            ? Optional.empty()
            : Optional.of(
                new SigningKey.Compromise(record.getCompromisedSince(), record.getDeclaredAt())),
        record.getSuccession());
  }

  private static OptionalLong time(long millis) {
    return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
  }

  private static OctetKeyPair publicKey(Stored stored) {
    return pair(stored.record().getPublicKey().toByteArray()).keyID(stored.id()).build();
  }

  private static OctetKeyPair.Builder pair(byte[] publicKey) {
    return new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(publicKey))
        .keyUse(KeyUse.SIGNATURE)
        .algorithm(JWSAlgorithm.EdDSA);
  }

  /** Makes a key, whose id is no option where it stands in a command. */
  private NewKey make() {
    NewKey made = makeAny();
    while (made.pair().getKeyID().startsWith("-")) {
      made = makeAny();
    }
    return made;
  }

  private NewKey makeAny() {
    try {
      Ed25519Sign.KeyPair made = Ed25519Sign.KeyPair.newKeyPairFromSeed(mint.bytes(SEED_BYTES));
      OctetKeyPair pair =
          pair(made.getPublicKey())
              .d(Base64URL.encode(made.getPrivateKey()))
              .keyIDFromThumbprint()
              .build();
      return new NewKey(pair, clock.millis());
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IllegalStateException("an Ed25519 key can't be made", e);
    }
  }

  private static SigningKeyRecord parse(byte[] bytes) {
    try {
      return SigningKeyRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored signing key is damaged", e);
    }
  }

  private record Stored(String id, SigningKeyRecord record) {}

  /** A key pair that is not stored yet. */
  private record NewKey(OctetKeyPair pair, long createdAt) {
    NewKey notBefore(long at) {
      return new NewKey(pair, Math.max(createdAt, at));
    }

    String id() {
      return pair.getKeyID();
    }

    SigningKeyRecord record() {
      return SigningKeyRecord.newBuilder()
          .setPublicKey(ByteString.copyFrom(pair.getX().decode()))
          .setCreatedAt(createdAt)
          .build();
    }

    /** Omits the private half. */
    @Override
    public String toString() {
      return "NewKey[" + id() + "]";
    }
  }
}
