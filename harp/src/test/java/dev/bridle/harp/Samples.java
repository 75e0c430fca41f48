package dev.bridle.harp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Artifact;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import dev.bridle.proof.key.VerificationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** Documents for tests, among them those that HARP's drafts publish as vectors. */
public final class Samples {
  /** The artifact of the drafts, without its hash. */
  public static final String ARTIFACT =
      "{\"artifactHashAlg\":\"SHA-256\",\"artifactType\":\"plan.review\",\"baseRevision\":"
          + "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\","
          + "\"createdAt\":\"2026-02-21T12:00:00Z\",\"expiresAt\":\"2026-02-21T12:10:00Z\","
          + "\"payload\":{\"kind\":\"plan\",\"risk\":\"medium\",\"steps\":[\"Extract tokenizer\","
          + "\"Add unit tests\",\"Replace recursive descent with Pratt parser\"],"
          + "\"title\":\"Refactor Parser\"},\"repoRef\":\"repo:acme/widgets\","
          + "\"requestId\":\"01J2V8V3K6B2Z9X6G1V7Y2QK8H\","
          + "\"sessionId\":\"01J2V8V3M2YF0KX9Q0Z7E6H9R1\"}";

  /** Its hash. */
  public static final String ARTIFACT_HASH =
      "8e326e1f69e5859a3b5b12965f06b5829f09b12d1748aa2fddb609fb44f831c1";

  /** The decision of the drafts, without its signature. */
  public static final String DECISION =
      "{\"artifactHash\":\""
          + ARTIFACT_HASH
          + "\",\"artifactHashAlg\":\"SHA-256\",\"decision\":\"allow\","
          + "\"expiresAt\":\"2026-02-21T12:05:00Z\",\"nonce\":\"bm9uY2UtMDAx\","
          + "\"repoRef\":\"repo:acme/widgets\",\"requestId\":\"01J2V8V3K6B2Z9X6G1V7Y2QK8H\","
          + "\"scope\":\"once\",\"sigAlg\":\"Ed25519\",\"signerKeyId\":\"ma-key-01\"}";

  /** Its signature. */
  public static final String SIGNATURE =
      "tszU90YldEomMTTrJpUYz-h8xXcAvJ6U97aaEy-1-Oo_vkCx3o63aZps6dN0VaJVKmXY2UnVW6ldoCuXv5sZDA";

  /** The key that has made it. */
  public static final String PUBLIC_KEY = "68GYuLi_rncjJ4w7MWKfKd5ygpeXzMjCzM5tlDakz_I";

  /** A time within the lives of these documents. */
  public static final Instant NOW = Instant.parse("2026-02-21T12:01:00Z");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Samples() {}

  /** Returns an object. */
  public static ObjectNode object(String json) {
    try {
      return (ObjectNode) MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of an object. */
  public static byte[] bytes(ObjectNode json) {
    return json.toString().getBytes(UTF_8);
  }

  /** Returns the artifact of the drafts, with its hash. */
  public static ObjectNode artifact() {
    return object(ARTIFACT).put("artifactHash", ARTIFACT_HASH);
  }

  /** Returns the decision of the drafts, with its signature. */
  public static ObjectNode decision() {
    return object(DECISION).put("signature", SIGNATURE);
  }

  /** Returns an artifact about a command. */
  public static Artifact command(String command) throws Exception {
    return Artifact.create(
        new Artifact.About(
            "request-1",
            "command.review",
            "repo:acme/widgets",
            NOW,
            NOW.plusSeconds(600),
            Optional.empty()),
        object("{}").put("command", command).put("salt", "c2FsdHNhbHRzYWx0c2E"));
  }

  /** Returns a signing key. */
  public static SigningKey key(int seed) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return SigningKey.ofSeed(bytes);
  }

  /** Returns the public half of a signing key. */
  public static VerificationKey publicKey(int seed) {
    return key(seed).verificationKey(KeyValidity.UNBOUNDED);
  }
}
