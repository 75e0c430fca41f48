package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of decisions that travel over a relay's sockets: the relay looks at none. */
final class HarpSignaturesIT extends RelayedDecisions {
  private static ObjectNode allow(Artifact artifact) {
    return ends().messages().decision(artifact, dev.bridle.harp.core.Answer.ALLOW);
  }

  private static ObjectNode body(ObjectNode envelope) {
    return envelope.withObject("/body");
  }

  /** Sends a decision that the relay takes, and returns what it delivers, which is unchanged. */
  private static Answer relayed(Artifact artifact, ObjectNode decision) {
    RelayEnds.assertAccepted(ends().decide(decision));
    Answer delivered = ends().delivered(artifact);
    assertThat(delivered.text()).contains("\"body\":" + decision.path("body"));
    assertThat(delivered.json().path("expiresAt")).isEqualTo(decision.path("expiresAt"));
    return delivered;
  }

  @ParameterizedTest
  @ValueSource(strings = {"allow", "approve"})
  void aSignatureInEitherSpellingPassesUnchangedAndIsVerifiedByTheEnforcer(String word)
      throws Exception {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = allow(artifact);
    ObjectNode signed =
        Decision.Content.once(
                Decision.Subject.of(artifact),
                dev.bridle.harp.core.Answer.ALLOW,
                artifact.expiresAt(),
                body(decision).path("nonce").textValue())
            .signable(ends().device().signerKeyId(), word);
    byte[] bytes = HarpJson.canonical(signed);
    body(decision)
        .put("signature", Base64Url.encode(ends().device().signing().sign(bytes)))
        .put("decisionHash", "sha256:" + HarpJson.hex(bytes));

    assertThat(ends().accept(artifact, relayed(artifact, decision))).isTrue();
  }

  /**
   * A decision that is not what was signed.
   *
   * @param change changes a good one
   * @param code how the enforcer refuses it
   */
  private record Faulty(
      String name, UnaryOperator<ObjectNode> change, HarpErrorCode code, String reason) {
    Faulty(String name, UnaryOperator<ObjectNode> change) {
      this(name, change, HarpErrorCode.SIGNATURE_INVALID, "signature");
    }
  }

  private static ObjectNode withBody(ObjectNode decision, String member, String value) {
    body(decision).put(member, value);
    return decision;
  }

  private static ObjectNode withSignature(ObjectNode decision, UnaryOperator<byte[]> change) {
    byte[] signature = Base64Url.decode(body(decision).path("signature").textValue()).orElseThrow();
    return withBody(decision, "signature", Base64Url.encode(change.apply(signature)));
  }

  private static byte[] flipped(byte[] bytes) {
    bytes[bytes.length / 2] ^= 1;
    return bytes;
  }

  private static ObjectNode signedByAnother(ObjectNode decision) {
    DeviceKeys other = DeviceKeys.create(new SecureRandom());
    return withSignature(decision, signature -> other.signing().sign(signature));
  }

  private static List<Faulty> faulty() {
    return List.of(
        new Faulty(
            "a bit of the signature is flipped",
            decision -> withSignature(decision, HarpSignaturesIT::flipped)),
        new Faulty(
            "the signature is cut off",
            decision -> withSignature(decision, bytes -> Arrays.copyOf(bytes, 63))),
        new Faulty(
            "the signature is no base64url", decision -> withBody(decision, "signature", "%%%")),
        new Faulty("another key has signed", HarpSignaturesIT::signedByAnother),
        new Faulty("the answer is reversed", decision -> withBody(decision, "decision", "reject")),
        new Faulty("the nonce is another one", decision -> withBody(decision, "nonce", "b3RoZXI")),
        new Faulty(
            "the expiry is a later one",
            decision -> decision.put("expiresAt", "2099-01-01T00:00:00Z")),
        new Faulty(
            "the decision's hash is another one",
            decision -> withBody(decision, "decisionHash", "sha256:" + "0".repeat(64)),
            HarpErrorCode.HASH_MISMATCH,
            "hash"));
  }

  @TestFactory
  Stream<DynamicTest> aDecisionThatWasNotSignedLikeThatIsRelayedAndRefusedByTheEnforcer() {
    return faulty().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.name(),
                    () -> {
                      Artifact artifact = ends().submitNew();
                      Answer delivered = relayed(artifact, each.change().apply(allow(artifact)));

                      RelayEnds.assertRefusedByEnd(
                          each.code(), each.reason(), () -> ends().accept(artifact, delivered));
                    }));
  }

  @Test
  void afterADecisionThatIsNotValidTheEnforcerAsksAnew() throws Exception {
    Artifact artifact = ends().submitNew();
    ObjectNode faulty = withBody(allow(artifact), "decision", "reject");
    Answer delivered = relayed(artifact, faulty);
    RelayEnds.assertRefusedByEnd(
        HarpErrorCode.SIGNATURE_INVALID, "signature", () -> ends().accept(artifact, delivered));

    RelayEnds.assertRefusedByRelay(
        409, "AlreadyDecidedConflict", "conflict", ends().decide(allow(artifact)));
    Artifact again = ends().submitNew();
    assertThat(ends().accept(again, relayed(again, allow(again)))).isTrue();
  }

  @Test
  void aDecisionWithoutASignatureIsRefusedByTheRelay() {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = allow(artifact);
    body(decision).remove("signature");

    RelayEnds.assertRefusedByRelay(400, "HARP_ERR_TRANSPORT", "schema", ends().decide(decision));
    assertThat(ends().state(artifact.requestId())).isEqualTo("pendingApproval");
  }

  @Test
  void aDecisionOfAnotherArtifactIsRefusedByTheRelay() {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = allow(artifact);
    body(decision).put("artifactHash", "sha256:" + "0".repeat(64));

    RelayEnds.assertRefusedByRelay(
        422, "HARP_ERR_HASH_MISMATCH", "artifact_hash", ends().decide(decision));
    assertThat(ends().state(artifact.requestId())).isEqualTo("pendingApproval");
  }
}
