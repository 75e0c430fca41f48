package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.statement.KeySuccession;
import java.time.Duration;
import java.time.Instant;

/** The vectors of keys that follow each other: the issuer's, and two after it. */
final class SuccessionVectors {
  private static final String INSTALLATION = "installation_01";
  private static final Duration BETWEEN = Duration.ofDays(30);

  private SuccessionVectors() {}

  static ArrayNode json() {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    SigningKey old = VectorKeys.ISSUER;
    Instant at = VectorKeys.ASKED;
    for (int seed : new int[] {0x16, 0x17}) {
      byte[] secret = FixedRandom.repeat(seed, 32);
      SigningKey next = SigningKey.ofSeed(secret);
      at = at.plus(BETWEEN).plusMillis(125);
      KeySuccession succession =
          new KeySuccession(
              INSTALLATION, old.id(), next.verificationKey(KeyValidity.UNBOUNDED), at);
      ObjectNode vector = all.addObject();
      vector
          .putObject("input")
          .put("installation", INSTALLATION)
          .put("newSeed", Base64Url.encode(secret))
          .put("signedAt", at.toString());
      vector.put("signed", new String(CanonicalJson.bytes(succession.toJson()), UTF_8));
      vector.set("succession", succession.signed(old));
      old = next;
    }
    return all;
  }
}
