package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.ReceiptSignature;
import dev.bridle.proof.receipt.ReceiptSigner;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The keys that sign receipts. Retired ones are kept for ever, so that old receipts stay
 * verifiable.
 */
public final class ReceiptKeys {
  /** How long retired keys are kept: longer than anything else. */
  public static final Duration KEEP = Duration.ofDays(365_000);

  /** Clocks of processes that share storage may differ by this much. */
  private static final long SKEW_SECONDS = 300;

  private final SigningKeys keys;

  /** Opened keys by their ids: opening a key takes much longer than a signature. */
  private final Map<String, dev.bridle.proof.key.SigningKey> opened = new ConcurrentHashMap<>();

  public ReceiptKeys(SigningKeys keys) {
    this.keys = keys;
  }

  /**
   * The key that signs now.
   *
   * @param id its id
   * @param createdAt when it was made, in Unix milliseconds
   * @param key signs
   */
  record Current(String id, long createdAt, dev.bridle.proof.key.SigningKey key) {
    /** Returns what signs receipts with it. */
    ReceiptSigner signer() {
      return new ReceiptSigner(key);
    }

    /** Returns when it signs: no key has signed before it was made. */
    Instant signsAt(long nowMillis) {
      return Instant.ofEpochMilli(Math.max(nowMillis, createdAt));
    }
  }

  boolean canSign() {
    return keys.canSign();
  }

  /** Returns the key that signs in a transaction, read with a conflict; makes the first one. */
  Current current(Transaction tr) {
    return opened(keys.currentIn(tr, SigningPurpose.RECEIPT));
  }

  private Current opened(SigningKeys.Sealed sealed) {
    return new Current(
        sealed.id(),
        sealed.createdAt(),
        opened.computeIfAbsent(
            sealed.id(), id -> dev.bridle.proof.key.SigningKey.ofSeed(keys.open(sealed))));
  }

  /**
   * Signs a statement that is no receipt. Receipts are signed by the text of their hash, so neither
   * can be taken for the other where a statement is a JSON object.
   *
   * @param statement the bytes of a JSON object
   * @return members as those of a receipt's {@code signatures}; empty if this server can't sign
   */
  public Optional<ObjectNode> sign(Write write, byte[] statement) {
    if (!canSign()) {
      return Optional.empty();
    }
    return Optional.of(signature(current(write.tr()), write.nowMillis(), statement));
  }

  /**
   * Signs what is only read, and changes nothing.
   *
   * @param statementAt makes the statement of the time at which it is signed
   * @return the statement with its signature; empty if this server can't sign, or has no key yet
   */
  public Optional<ObjectNode> stated(
      ReadTransaction tr, long nowMillis, Function<String, ObjectNode> statementAt) {
    if (!canSign()) {
      return Optional.empty();
    }
    return keys.newestIn(tr, SigningPurpose.RECEIPT)
        .map(this::opened)
        .map(
            current -> {
              ObjectNode statement = statementAt.apply(current.signsAt(nowMillis).toString());
              ObjectNode signed = JsonNodeFactory.instance.objectNode();
              signed.set("statement", statement);
              signed.set(
                  "signature", signature(current, nowMillis, CanonicalJson.bytes(statement)));
              return signed;
            });
  }

  private static ObjectNode signature(Current current, long nowMillis, byte[] statement) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("algorithm", ReceiptSignature.ED25519)
        .put("key_id", current.id())
        .put("signature", Base64Url.encode(current.key().sign(statement)))
        .put("signed_at", current.signsAt(nowMillis).toString());
  }

  /** Makes the first key, if this server can sign, so that it is published before it signs. */
  public void begin(KeyValueStore store) {
    if (canSign()) {
      var unused = store.transact(tr -> keys.currentIn(tr, SigningPurpose.RECEIPT));
    }
  }

  /** Returns the public keys of this installation that verify receipts, newest first. */
  public KeySet published() {
    return keySet(keys.all(SigningPurpose.RECEIPT));
  }

  static KeySet keySet(List<SigningKey> keys) {
    return KeySet.of(keys.stream().map(ReceiptKeys::verificationKey).toList());
  }

  /**
   * Returns the public keys that verify a tenant's receipts: those of this installation, and those
   * that came with imports and are confirmed.
   */
  public static KeySet trusted(ReadTransaction tr, KeyLayout layout, String tenant) {
    return joined(own(tr, layout), imported(tr, layout, tenant));
  }

  /**
   * Returns the public keys that a tenant has: the trusted ones, and those that nobody has
   * confirmed, with which one sees only whether a receipt agrees with itself.
   */
  public static KeySet known(ReadTransaction tr, KeyLayout layout, String tenant) {
    return joined(
        trusted(tr, layout, tenant).keys(), new ImportedKeys(layout).unconfirmed(tr, tenant));
  }

  /** Returns the keys of this installation. */
  public static List<VerificationKey> own(ReadTransaction tr, KeyLayout layout) {
    return SigningKeys.stored(tr, layout, SigningPurpose.RECEIPT).stream()
        .map(ReceiptKeys::verificationKey)
        .toList();
  }

  private static KeySet joined(List<VerificationKey> first, List<VerificationKey> others) {
    Map<String, VerificationKey> all = new LinkedHashMap<>();
    first.forEach(key -> all.put(key.id(), key));
    others.forEach(key -> all.putIfAbsent(key.id(), key));
    return KeySet.of(all.values());
  }

  /**
   * Returns the same keys as if none was compromised: what this storage has was there before
   * whoever may have got a key, and is covered by its chain.
   */
  public static KeySet undisputed(KeySet keys) {
    return KeySet.of(
        keys.keys().stream()
            .map(key -> VerificationKey.of(key.publicKey(), key.validity().undisputed()))
            .toList());
  }

  /**
   * Returns the keys that may have signed the receipt of an issuer: those of this installation for
   * its own receipts, with those that it has lost and an operator has given back; and those that
   * came with imports and are confirmed for all others, but for those that are of another one.
   *
   * @param issuer the id of the issuer
   * @param isOwn whether it is this installation
   */
  public static KeySet ofIssuer(
      ReadTransaction tr, KeyLayout layout, String tenant, String issuer, boolean isOwn) {
    KeyInstallations bound = KeyInstallations.of(tr, layout, tenant);
    List<VerificationKey> imported = imported(tr, layout, tenant);
    return isOwn
        ? joined(
            own(tr, layout), imported.stream().filter(key -> bound.isOf(key.id(), issuer)).toList())
        : KeySet.of(imported.stream().filter(key -> bound.maySignFor(key.id(), issuer)).toList());
  }

  /**
   * Returns given keys as they count for the receipt of an issuer with what is known here: since
   * when they are compromised, and whose they are. Parameters as of {@link #ofIssuer}.
   */
  public static KeySet narrowed(
      ReadTransaction tr,
      KeyLayout layout,
      String tenant,
      String issuer,
      boolean isOwn,
      KeySet given) {
    KeySet own = KeySet.of(own(tr, layout));
    KeyInstallations bound = KeyInstallations.of(tr, layout, tenant);
    return KeySet.of(
        CompromisedKeys.kept(tr, layout).applied(given.keys()).stream()
            .filter(
                key -> own.find(key.id()).isPresent() ? isOwn : bound.maySignFor(key.id(), issuer))
            .map(key -> own.find(key.id()).map(key::and).orElse(key))
            .toList());
  }

  /** Returns the confirmed keys of a tenant, with what any tenant knows of a compromise. */
  private static List<VerificationKey> imported(
      ReadTransaction tr, KeyLayout layout, String tenant) {
    List<VerificationKey> keys = new ImportedKeys(layout).confirmed(tr, tenant);
    return keys.isEmpty() ? keys : CompromisedKeys.kept(tr, layout).applied(keys);
  }

  /**
   * Returns a key of this installation as exports carry it.
   *
   * @param installation the id of this installation
   */
  public static ReceiptKeyRecord exported(SigningKey key, String installation) {
    return ReceiptKeyRecord.newBuilder()
        .setId(key.id())
        .setInstallation(installation)
        .setPublicKey(ByteString.copyFrom(key.key().getX().decode()))
        .setCreatedAt(key.createdAt())
        .setRetiredAt(key.retiredAt().orElse(0))
        .setCompromisedSince(key.compromise().map(SigningKey.Compromise::since).orElse(0L))
        .setDeclaredAt(key.compromise().map(SigningKey.Compromise::declaredAt).orElse(0L))
        .build();
  }

  private static VerificationKey verificationKey(SigningKey key) {
    KeyValidity validity = validity(key.createdAt(), key.retiredAt());
    return VerificationKey.of(
        key.key().getX().decode(),
        key.compromise()
            .map(one -> compromised(validity, one.declaredAt(), one.since()))
            .orElse(validity));
  }

  static KeyValidity compromised(KeyValidity validity, long declaredAt, long since) {
    return validity.compromised(declaredAt / 1000, since / 1000);
  }

  /** Returns when a key was retired that no longer signs from a second on, in milliseconds. */
  static long retiredAt(long expiresAt) {
    return Math.max(1, (expiresAt - SKEW_SECONDS - 1) * 1000);
  }

  /** Returns when a key was made that counts from a second on, in milliseconds. */
  static OptionalLong createdAt(KeyValidity validity) {
    OptionalLong second =
        validity.notBefore().isPresent()
            ? OptionalLong.of(validity.notBefore().getAsLong() + SKEW_SECONDS)
            : validity.issuedAt();
    return second.isPresent()
        ? OptionalLong.of(Math.max(1, second.getAsLong() * 1000))
        : OptionalLong.empty();
  }

  /** Returns when a key counts. Of a key of which nobody knows when it was made, that is 0. */
  static KeyValidity validity(long createdAt, OptionalLong retiredAt) {
    long made = createdAt / 1000;
    return new KeyValidity(
        createdAt == 0 ? OptionalLong.empty() : OptionalLong.of(made),
        createdAt == 0 ? OptionalLong.empty() : OptionalLong.of(made - SKEW_SECONDS),
        retiredAt.isPresent()
            ? OptionalLong.of(retiredAt.getAsLong() / 1000 + SKEW_SECONDS + 1)
            : OptionalLong.empty(),
        Optional.empty());
  }
}
