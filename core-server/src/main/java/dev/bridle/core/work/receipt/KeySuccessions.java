package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.nimbusds.jose.jwk.OctetKeyPair;
import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.statement.KeySuccession;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How the keys that sign receipts follow each other: at a rotation, the old key signs that the new
 * one takes its place, so that a device that has pinned the old one follows.
 */
public final class KeySuccessions {
  /** How many keys are published to devices, the newest ones. */
  static final int MOST = 100;

  private final SigningKeys keys;
  private final String installation;

  /**
   * Creates it.
   *
   * @param installation the id of this installation, which statements name
   */
  public KeySuccessions(SigningKeys keys, String installation) {
    this.keys = keys;
    this.installation = installation;
  }

  /**
   * Creates a new key, which signs receipts from now on.
   *
   * @param isVouchedFor whether the old key signs that the new one takes its place; not where
   *     others may have the old one
   */
  public SigningKey rotate(boolean isVouchedFor) {
    return isVouchedFor
        ? keys.rotate(SigningPurpose.RECEIPT, ReceiptKeys.KEEP, this::signed)
        : keys.rotate(SigningPurpose.RECEIPT, ReceiptKeys.KEEP);
  }

  private ByteString signed(SigningKeys.Sealed old, OctetKeyPair next, long nowMillis) {
    // A key signs nothing before it was made, whatever the clock of this process says.
    Instant at = Instant.ofEpochMilli(Math.max(nowMillis, old.createdAt()));
    VerificationKey newKey = VerificationKey.of(next.getX().decode(), KeyValidity.UNBOUNDED);
    ObjectNode signed =
        new KeySuccession(installation, old.id(), newKey, at)
            .signed(dev.bridle.proof.key.SigningKey.ofSeed(keys.open(old)));
    return ByteString.copyFrom(CanonicalJson.bytes(signed));
  }

  /**
   * Returns the newest keys with what they say of each other, as JSON: {@code keys}, newest first,
   * and {@code successions}, oldest first. What a key has signed that was declared compromised is
   * left out: others may have signed it.
   */
  public ByteString published() {
    List<SigningKey> newest = keys.all(SigningPurpose.RECEIPT).stream().limit(MOST).toList();
    Map<String, SigningKey> byId =
        newest.stream().collect(Collectors.toMap(SigningKey::id, Function.identity()));
    ObjectNode document = (ObjectNode) StrictJson.parse(ReceiptKeys.keySet(newest).toJson());
    ArrayNode successions = document.putArray("successions");
    for (SigningKey key : newest) {
      succession(key, byId).ifPresent(one -> successions.insert(0, one));
    }
    return ByteString.copyFrom(CanonicalJson.bytes(document));
  }

  private static Optional<ObjectNode> succession(SigningKey key, Map<String, SigningKey> byId) {
    if (key.succession().isEmpty()) {
      return Optional.empty();
    }
    ObjectNode signed = (ObjectNode) StrictJson.parse(key.succession().toByteArray());
    return Optional.ofNullable(byId.get(signed.at("/signature/key_id").asText()))
        .filter(signer -> signer.compromise().isEmpty())
        .map(signer -> signed);
  }
}
