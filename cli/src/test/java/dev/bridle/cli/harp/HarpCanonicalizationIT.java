package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.seal.SealedArtifact;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Canonical forms and hashes of what travels over a relay's sockets. */
final class HarpCanonicalizationIT extends RelayedDecisions {
  /** What implementations of canonical JSON spell differently if they are not careful. */
  private static final String HARD =
      "{\"z\":[{},[],\"\"],\"a\":9007199254740991,\"Z\":-9007199254740991,"
          + "\"text\":\"<&>\\u2028\\u0000\\\"\\\\/ e\\u0301 \\ud83d\\ude00\",\"\\u00e9\":true,"
          + "\"\":0}";

  /** The same members in another order and spelling. */
  private static final String HARD_OTHERWISE =
      "{ \"\" : 0,\n\t\"\\u00E9\":true, \"text\":\"\\u003c&>\\u2028\\u0000\\u0022\\\\\\/"
          + " \\u0065\\u0301 \\uD83D\\uDE00\", \"Z\":-9007199254740991, \"a\":9007199254740991,"
          + "\"z\":[ {}, [], \"\" ] }";

  private static final Map<String, String> WITHOUT_CANONICAL_FORM =
      Map.of(
          "a fraction", "{\"n\":0.5}",
          "a whole number with a point", "{\"n\":1.0}",
          "an exponent", "{\"n\":1e3}",
          "a negative zero", "{\"n\":-0}",
          "a number beyond 2^53 - 1", "{\"n\":9007199254740992}",
          "a lone surrogate", "{\"t\":\"\\ud800\"}",
          "null", "{\"n\":null}",
          "members whose orders differ", "{\"\\ufb03\":1,\"\\ud834\\udf06\":2}");

  private static Artifact artifact(ObjectNode payload) throws Exception {
    return Artifact.create(
        new Artifact.About(
            UUID.randomUUID().toString(),
            "command.review",
            HarpMessages.PLACE,
            Instant.now(),
            Instant.now().plusSeconds(600),
            Optional.empty()),
        payload);
  }

  private static SealedArtifact seal(Artifact artifact) throws Exception {
    return SealedArtifact.seal(
        artifact, ends().device().agreement().publicKey(), new SecureRandom());
  }

  /** Submits an artifact whose seal holds a text that the library does not make. */
  private static void submitSealed(Artifact artifact, String plaintext) throws Exception {
    ObjectNode envelope = ends().messages().submission(artifact);
    envelope.set(
        "body",
        ForeignSeal.body(seal(artifact), ends().device().agreement().publicKey(), plaintext));
    RelayEnds.assertAccepted(ends().submit(envelope));
  }

  @Test
  void aPayloadThatIsHardToSpellReachesTheDeviceWithItsHash() throws Exception {
    Artifact artifact = artifact((ObjectNode) Json.parse(HARD));
    ObjectNode envelope = ends().messages().submission(artifact);
    RelayEnds.assertAccepted(ends().submit(envelope));

    JsonNode asked = ends().asked(artifact);

    assertThat(asked.at("/body/ciphertext")).isEqualTo(envelope.at("/body/ciphertext"));
    Artifact opened = ends().open(asked);
    assertThat(opened.hash()).isEqualTo(artifact.hash());
    assertThat(HarpJson.canonical(opened.payload()))
        .isEqualTo(HarpJson.canonical(artifact.payload()));
  }

  @Test
  void aPayloadThatWasSealedInAnotherSpellingOpensToTheSameHash() throws Exception {
    Artifact artifact = artifact((ObjectNode) Json.parse(HARD));
    submitSealed(artifact, HARD_OTHERWISE);

    Artifact opened = ends().open(ends().asked(artifact));

    assertThat(opened.hash()).isEqualTo(artifact.hash());
    assertThat(HarpJson.canonical(opened.payload()))
        .isEqualTo(HarpJson.canonical(artifact.payload()));
  }

  @Test
  void aDecisionPassesByteForByteHoweverItIsSpelled() throws Exception {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = ends().messages().decision(artifact, dev.bridle.harp.core.Answer.ALLOW);
    ObjectNode body = decision.withObject("/body").put("reason", "marker");
    String spelled =
        body.toString()
            .replace("\"marker\"", "\"\\u0049t is <fine>\\/\\u00e9 \\ud83d\\ude00\"")
            .replace("{", "{ ")
            .replace(",", " ,\n\t");
    decision.remove("body");
    String envelope =
        decision.toString().replaceFirst("\\{", "{\"body\" : @,").replace("@", spelled);
    RelayEnds.assertAccepted(ends().decide(envelope));

    Answer delivered = ends().delivered(artifact);

    assertThat(delivered.text()).contains(spelled);
    assertThat(ends().accept(artifact, delivered)).isTrue();
  }

  @TestFactory
  Stream<DynamicTest> anEnvelopeWithoutOneCanonicalFormIsRefusedByTheRelay() {
    return WITHOUT_CANONICAL_FORM.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      refusesArtifact(each.getValue());
                      refusesDecision(each.getValue());
                    }));
  }

  private static String traced(ObjectNode envelope, String trace) {
    return envelope.toString().replaceFirst("\\{", "{\"trace\":@,").replace("@", trace);
  }

  private static void assertNotCanonical(Answer answer) {
    RelayEnds.assertRefusedByRelay(400, "HARP_ERR_CANONICALIZATION", "canonical", answer);
  }

  private static void refusesArtifact(String trace) {
    Artifact artifact = RelayEnds.newArtifact();
    String envelope = traced(ends().messages().submission(artifact), trace);

    assertNotCanonical(RelayEnds.post(ends().enforcer(), "/v1/artifacts", envelope));
    assertThat(ends().state(artifact.requestId())).isEqualTo("none");
  }

  private static void refusesDecision(String trace) {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = ends().messages().decision(artifact, dev.bridle.harp.core.Answer.ALLOW);

    assertNotCanonical(ends().decide(traced(decision, trace)));
    assertThat(ends().state(artifact.requestId())).isEqualTo("pendingApproval");
  }

  @TestFactory
  Stream<DynamicTest> aPayloadWithoutOneCanonicalFormIsRelayedUnreadAndRefusedByTheDevice() {
    return WITHOUT_CANONICAL_FORM.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      Artifact artifact = RelayEnds.newArtifact();
                      submitSealed(artifact, each.getValue());

                      JsonNode asked = ends().asked(artifact);

                      RelayEnds.assertRefusedByEnd(
                          HarpErrorCode.CANONICALIZATION, "canonical", () -> ends().open(asked));
                    }));
  }

  @Test
  void aPayloadThatIsNotTheHashedOneIsRelayedUnreadAndRefusedByTheDevice() throws Exception {
    Artifact artifact = RelayEnds.newArtifact();
    submitSealed(artifact, "{\"command\":\"rm -r /\",\"salt\":\"c2FsdA\"}");

    JsonNode asked = ends().asked(artifact);

    RelayEnds.assertRefusedByEnd(HarpErrorCode.HASH_MISMATCH, "hash", () -> ends().open(asked));
  }

  @Test
  void aHeaderOfAnotherHashIsRefusedByTheRelay() {
    Artifact artifact = RelayEnds.newArtifact();
    ObjectNode envelope = ends().messages().submission(artifact);
    envelope.withObject("/body").put("artifactHash", "sha256:" + "0".repeat(64));

    RelayEnds.assertRefusedByRelay(
        422, "HARP_ERR_HASH_MISMATCH", "header", ends().submit(envelope));
    assertThat(ends().state(artifact.requestId())).isEqualTo("none");
  }
}
