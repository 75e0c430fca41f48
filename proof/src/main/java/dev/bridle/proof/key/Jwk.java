package dev.bridle.proof.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.WholeNumber;
import dev.bridle.proof.key.KeyValidity.Revocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One key of a JWK set. */
final class Jwk {
  private Jwk() {}

  static List<VerificationKey> ed25519Keys(JsonNode keys) {
    List<VerificationKey> found = new ArrayList<>();
    for (JsonNode jwk : keys) {
      if (jwk.path("kty").asText().equals("OKP") && jwk.path("crv").asText().equals("Ed25519")) {
        found.add(read(jwk));
      }
    }
    return found;
  }

  private static VerificationKey read(JsonNode jwk) {
    String id = jwk.path("kid").asText();
    if (jwk.has("d")) {
      throw new IllegalArgumentException("The key " + id + " comes with its private half.");
    }
    byte[] point =
        Base64Url.decode(jwk.path("x").asText())
            .orElseThrow(() -> new IllegalArgumentException("`x` of key " + id + " is malformed."));
    VerificationKey key = VerificationKey.of(point, validity(id, jwk));
    if (!key.id().equals(id)) {
      throw new IllegalArgumentException(
          "The key " + id + " is not named by its thumbprint, which is " + key.id() + ".");
    }
    return key;
  }

  private static KeyValidity validity(String id, JsonNode jwk) {
    return new KeyValidity(
        time(id, jwk, "iat"), time(id, jwk, "nbf"), time(id, jwk, "exp"), revocation(id, jwk));
  }

  private static Optional<Revocation> revocation(String id, JsonNode jwk) {
    if (!jwk.has("revoked")) {
      return Optional.empty();
    }
    JsonNode revoked = jwk.get("revoked");
    long at =
        time(id, revoked, "revoked_at")
            .orElseThrow(
                () -> new IllegalArgumentException("`revoked` of key " + id + " has no time."));
    String reason = revoked.path("reason").asText("unspecified");
    // Of another reason it says nothing.
    OptionalLong since =
        reason.equals(Revocation.COMPROMISED)
            ? time(id, revoked, "compromised_since")
            : OptionalLong.empty();
    return Optional.of(new Revocation(at, reason, since));
  }

  private static OptionalLong time(String id, JsonNode from, String name) {
    if (!from.has(name)) {
      return OptionalLong.empty();
    }
    OptionalLong second = WholeNumber.of(from.get(name));
    if (second.isEmpty()) {
      throw new IllegalArgumentException(
          "`" + name + "` of key " + id + " is not a whole number of seconds.");
    }
    return second;
  }

  static ObjectNode of(VerificationKey key) {
    ObjectNode jwk = JsonNodeFactory.instance.objectNode();
    jwk.put("alg", "EdDSA")
        .put("crv", "Ed25519")
        .put("kid", key.id())
        .put("kty", "OKP")
        .put("use", "sig")
        .put("x", Base64Url.encode(key.publicKey()));
    KeyValidity validity = key.validity();
    validity.issuedAt().ifPresent(at -> jwk.put("iat", at));
    validity.notBefore().ifPresent(at -> jwk.put("nbf", at));
    validity.expiresAt().ifPresent(at -> jwk.put("exp", at));
    validity.revocation().ifPresent(one -> write(one, jwk.putObject("revoked")));
    return jwk;
  }

  private static void write(Revocation revocation, ObjectNode to) {
    to.put("revoked_at", revocation.at()).put("reason", revocation.reason());
    revocation.compromisedSince().ifPresent(since -> to.put("compromised_since", since));
  }
}
