package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions that come again over a relay's sockets, for their own request or for another one. */
final class HarpReplayIT extends RelayedDecisions {
  private static ObjectNode decision(
      Artifact artifact, dev.bridle.harp.core.Answer answer, String nonce) throws HarpException {
    Decision signed =
        Decision.sign(
            Decision.Content.once(
                Decision.Subject.of(artifact), answer, artifact.expiresAt(), nonce),
            ends().device().signerKeyId(),
            ends().device().signing());
    ObjectNode envelope = ends().messages().decision(artifact, answer);
    envelope.set("body", DecisionSubmit.body(signed, Optional.empty()));
    return envelope;
  }

  private static ObjectNode allow(Artifact artifact, String nonce) throws HarpException {
    return decision(artifact, dev.bridle.harp.core.Answer.ALLOW, nonce);
  }

  @Test
  void aDecisionThatIsSentAndDeliveredTwiceIsUsedOnce() throws Exception {
    Artifact artifact = ends().submitNew();
    ObjectNode decision = allow(artifact, "used-once");
    RelayEnds.assertAccepted(ends().decide(decision));
    RelayEnds.assertAccepted(ends().decide(decision));

    Answer first = ends().delivered(artifact);
    Answer second = ends().delivered(artifact);

    assertThat(second.text()).isEqualTo(first.text());
    assertThat(first.text()).contains("\"body\":" + decision.path("body"));
    assertThat(ends().accept(artifact, first)).isTrue();
    assertThat(ends().accept(artifact, second)).as("the same again").isFalse();
    assertThat(ends().enforcer().get("/v1/enforcers/ci/inbox").json().at("/body/items"))
        .filteredOn(item -> item.path("requestId").asText().equals(artifact.requestId()))
        .as("one message")
        .hasSize(1);
  }

  @Test
  void anotherDecisionOfADecidedRequestIsRefusedByTheRelay() throws Exception {
    Artifact artifact = ends().submitNew();
    RelayEnds.assertAccepted(ends().decide(allow(artifact, "first")));

    RelayEnds.assertRefusedByRelay(
        409, "AlreadyDecidedConflict", "conflict", ends().decide(allow(artifact, "second")));
    RelayEnds.assertRefusedByRelay(
        409,
        "AlreadyDecidedConflict",
        "conflict",
        ends().decide(decision(artifact, dev.bridle.harp.core.Answer.DENY, "first")));
    Answer delivered = ends().delivered(artifact);
    assertThat(delivered.json().at("/body/nonce").asText()).isEqualTo("first");
    assertThat(ends().accept(artifact, delivered)).isTrue();
  }

  @Test
  void aDecisionOfAnotherRequestIsRefusedByTheRelay() throws Exception {
    Artifact decided = ends().submitNew();
    Artifact other = ends().submitNew();
    ObjectNode decision = allow(decided, "of-another").put("requestId", other.requestId());

    RelayEnds.assertRefusedByRelay(
        422, "HARP_ERR_HASH_MISMATCH", "artifact_hash", ends().decide(decision));
    assertThat(ends().state(other.requestId())).isEqualTo("pendingApproval");
  }

  @Test
  void aDecisionThatIsMadeToFitAnotherRequestIsRelayedAndRefusedByTheEnforcer() throws Exception {
    Artifact decided = ends().submitNew();
    Artifact other = ends().submitNew();
    ObjectNode decision = allow(decided, "made-to-fit").put("requestId", other.requestId());
    decision.withObject("/body").put("artifactHash", "sha256:" + other.hash());
    RelayEnds.assertAccepted(ends().decide(decision));

    Answer delivered = ends().delivered(other);

    RelayEnds.assertRefusedByEnd(
        HarpErrorCode.SIGNATURE_INVALID, "signature", () -> ends().accept(other, delivered));
  }

  @Test
  void aNonceThatItsKeyHasUsedBeforeIsRelayedAndRefusedByTheEnforcer() throws Exception {
    Artifact first = ends().submitNew();
    RelayEnds.assertAccepted(ends().decide(allow(first, "used-before")));
    assertThat(ends().accept(first, ends().delivered(first))).isTrue();
    Artifact second = ends().submitNew();
    RelayEnds.assertAccepted(ends().decide(allow(second, "used-before")));

    Answer delivered = ends().delivered(second);

    RelayEnds.assertRefusedByEnd(
        HarpErrorCode.REPLAY, "replay", () -> ends().accept(second, delivered));
  }
}
