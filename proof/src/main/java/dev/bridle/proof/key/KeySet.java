package dev.bridle.proof.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that a verifier trusts as issuers, each of them for any {@code issuer.id}, as a JWK set
 * (RFC 7517, RFC 8037) with {@code iat}, {@code nbf}, {@code exp} and {@code revoked} of each key.
 * Immutable.
 */
public final class KeySet {
  /** No keys: no signature can be checked. */
  public static final KeySet EMPTY = of(List.of());

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, VerificationKey> keys;

  private KeySet(Map<String, VerificationKey> keys) {
    this.keys = keys;
  }

  /**
   * Returns a set of keys.
   *
   * @throws IllegalArgumentException if a key is in it twice
   */
  public static KeySet of(Collection<VerificationKey> keys) {
    Map<String, VerificationKey> byId = new LinkedHashMap<>();
    for (VerificationKey key : keys) {
      if (byId.put(key.id(), key) != null) {
        throw new IllegalArgumentException("The key " + key.id() + " is in the set twice.");
      }
    }
    return new KeySet(byId);
  }

  /**
   * Parses a JWK set. Keys of other kinds are left out.
   *
   * @throws IllegalArgumentException if it is not a JWK set, an Ed25519 key in it is malformed
   *     (times are whole numbers of seconds up to 2^53 - 1; {@code revoked} has {@code
   *     revoked_at}), has an id that is not its thumbprint, is there twice, or comes with its
   *     private half
   */
  public static KeySet parse(byte[] json) {
    JsonNode keys = StrictJson.parse(json).path("keys");
    if (!keys.isArray()) {
      throw new IllegalArgumentException("A JWK set has an array `keys`.");
    }
    return of(Jwk.ed25519Keys(keys));
  }

  /** Returns the key of an id. */
  public Optional<VerificationKey> find(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  /** Returns all keys in the order of the set. */
  public List<VerificationKey> keys() {
    return List.copyOf(keys.values());
  }

  /** Returns the JWK set as canonical JSON. */
  public byte[] toJson() {
    ObjectNode set = NODES.objectNode();
    ArrayNode array = set.putArray("keys");
    keys.values().forEach(key -> array.add(Jwk.of(key)));
    return CanonicalJson.bytes(set);
  }

  @Override
  public String toString() {
    return "KeySet" + keys.keySet();
  }
}
