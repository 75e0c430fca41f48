package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.OTHER_HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.ack;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayServiceGrpc;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DecisionTest extends Relayed {
  @BeforeEach
  void ask() {
    submit("r1");
  }

  @Test
  void aDecisionReachesTheEnforcerAndLeavesAllInboxes() {
    JsonNode accepted = ada.decide(decision("ada", "r1", "n1"));

    assertThat(accepted.path("msgType").asText()).isEqualTo("decision.accepted");
    JsonNode delivered = enforcer.decisions("gate-1").get(0);
    assertThat(delivered.path("msgType").asText()).isEqualTo("decision.deliver");
    assertThat(delivered.path("recipient").path("enforcerId").asText()).isEqualTo("gate-1");
    assertThat(delivered.path("body").path("decision").asText()).isEqualTo("approve");
    assertThat(ada.requests("ada")).isEmpty();
    assertThat(ben.requests("ben")).isEmpty();
    assertThat(enforcer.state("r1")).isEqualTo("decided");
  }

  @Test
  void bodyAndTraceOfADecisionAreDeliveredByteForByte() {
    String body =
        "{ \"signature\":\"c2ln\",\n \"reason\":\"L\\u00e4uft\", \"nonce\":\"n1\","
            + "\"signerKeyId\":\"k\" ,\"decision\":\"reject\",\"artifactHash\":\"sha256:"
            + SampleEnvelopes.HASH
            + "\"}";
    String trace = "{\"dev.bridle.decision\" : {\"a\":1}}";
    String envelope =
        "{\"msgType\":\"decision.submit\",\"requestId\":\"r1\",\"createdAt\":"
            + "\"2026-11-25T10:00:00+00:00\",\"expiresAt\":\"2126-01-01T00:00:00+00:00\","
            + "\"sender\":{\"approverId\":\"ada\"},\"trace\":"
            + trace
            + ",\"body\":"
            + body
            + "}";
    ada.decide(ByteString.copyFromUtf8(envelope));

    String page =
        RelayServiceGrpc.newBlockingStub(core.as("gate", List.of("harp:enforce"), List.of()))
            .listInbox(
                ListInboxRequest.newBuilder()
                    .setRole(PartyRole.PARTY_ROLE_ENFORCER)
                    .setPartyId("gate-1")
                    .build())
            .getEnvelope()
            .toStringUtf8();
    assertThat(page)
        .contains("\"body\":" + body, "\"trace\":" + trace)
        .contains("\"expiresAt\":\"2126-01-01T00:00:00+00:00\"");
  }

  @Test
  void aDecisionWithoutAnExpiryIsDeliveredWithTheArtifacts() {
    ada.decide(decision("ada", "r1", "n1"));

    assertThat(enforcer.decisions("gate-1").get(0).path("expiresAt").asText())
        .isEqualTo(enforcer.status("r1").path("expiresAt").asText());
  }

  @Test
  void theSameDecisionAgainChangesNothing() {
    ByteString decision = decision("ada", "r1", "n1");
    ada.decide(decision);
    String before = enforcer.decisions("gate-1").toString();

    assertThat(ada.decide(decision).path("msgType").asText()).isEqualTo("decision.accepted");
    assertThat(enforcer.decisions("gate-1").toString()).isEqualTo(before);
  }

  @Test
  void anotherDecisionIsAConflictWhoeverSendsIt() {
    ada.decide(decision("ada", "r1", "n1"));

    assertDecided(() -> ada.decide(decision("ada", "r1", "n2")));
    assertDecided(() -> ben.decide(decision("ben", "r1", "n1")));
    assertDecided(
        () ->
            ada.decide(decision("ada", "r1", "n1", each -> body(each).put("decision", "reject"))));
    assertThat(enforcer.status("r1").path("decision").path("approverId").asText()).isEqualTo("ada");
    assertThat(enforcer.decisions("gate-1")).hasSize(1);
  }

  private static void assertDecided(ThrowingCallable call) {
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "AlreadyDecidedConflict", "conflict", call);
  }

  @Test
  void aDecisionOnAnotherArtifactIsRefusedBeforeAndAfterTheDecision() {
    ByteString other =
        decision("ada", "r1", "n9", each -> body(each).put("artifactHash", OTHER_HASH));
    assertMismatch(other);
    ada.decide(decision("ada", "r1", "n1"));
    assertMismatch(other);
  }

  private void assertMismatch(ByteString other) {
    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_HASH_MISMATCH",
        "artifact_hash",
        () -> ada.decide(other));
  }

  @Test
  void aDecisionWhoseOwnTimeIsOverDecidesNothing() {
    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "HARP_ERR_EXPIRED",
        "decision_expired",
        () ->
            ada.decide(
                decision(
                    "ada", "r1", "n1", each -> each.put("expiresAt", "2020-01-01T00:00:00Z"))));

    assertThat(enforcer.state("r1")).isEqualTo("pendingApproval");
  }

  @Test
  void aDecisionOfSomebodyWhoWasNotAskedIsNotFound() {
    admin.approver("cleo", "ben-phone");

    assertNotFound(() -> ben.decide(decision("cleo", "r1", "n1")));
    assertNotFound(() -> ben.decide(decision("ada", "r1", "n1")));
    assertNotFound(() -> ada.decide(decision("ada", "r2", "n1")));
  }

  @Test
  void aLargeDecisionIsRefused() {
    ByteString large =
        decision("ada", "r1", "n1", each -> body(each).put("reason", "x".repeat(64 << 10)));

    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "HARP_ERR_TRANSPORT",
        "too_large",
        () -> ada.decide(large));
  }

  @Test
  void anAcknowledgedDecisionIsDeliveredOnce() {
    ada.decide(decision("ada", "r1", "n1"));
    JsonNode delivered = enforcer.decisions("gate-1").get(0);
    ByteString ack = ack("enforcerId", "gate-1", delivered, "received");

    for (int i = 0; i < 2; i++) {
      JsonNode accepted = enforcer.acknowledge(ack);
      assertThat(accepted.path("msgType").asText()).isEqualTo("ack.accepted");
    }
    assertThat(enforcer.state("r1")).isEqualTo("delivered");
    assertThat(enforcer.decisions("gate-1")).isEmpty();
  }

  @Test
  void anAcknowledgedRequestStaysUntilItIsDecided() {
    JsonNode request = ada.requests("ada").get(0);
    ada.acknowledge(ack("approverId", "ada", request, "processed"));

    assertThat(RelayClient.ids(ada.requests("ada"))).containsExactly("r1");
    assertThat(enforcer.state("r1")).isEqualTo("pendingApproval");
  }

  @Test
  void onlyTheMessagesPartyAcknowledgesIt() {
    JsonNode request = ada.requests("ada").get(0);
    ada.decide(decision("ada", "r1", "n1"));
    JsonNode delivered = enforcer.decisions("gate-1").get(0);

    assertNotFound(() -> ben.acknowledge(ack("approverId", "ada", request, "received")));
    assertNotFound(() -> ada.acknowledge(ack("enforcerId", "gate-1", delivered, "received")));
    assertNotFound(() -> ada.acknowledge(ack("approverId", "ben", request, "received")));
    ((ObjectNode) delivered).put("msgId", "msg_none");
    assertNotFound(() -> enforcer.acknowledge(ack("enforcerId", "gate-1", delivered, "received")));
    assertThat(enforcer.state("r1")).isEqualTo("decided");
  }

  @Test
  void aWithdrawnRequestLeavesAllInboxesAndIsNoLongerDecided() {
    JsonNode withdrawn = enforcer.withdraw("r1", "No longer needed");
    enforcer.withdraw("r1", "");

    assertThat(withdrawn.path("msgType").asText()).isEqualTo("exchange.withdrawn");
    assertThat(withdrawn.path("body").path("reason").asText()).isEqualTo("No longer needed");
    assertThat(ada.requests("ada")).isEmpty();
    assertThat(ada.expired("ada")).isEmpty();
    assertThat(ada.state("r1")).isEqualTo("withdrawn");
    assertClosed(() -> ada.decide(decision("ada", "r1", "n1")));
    assertClosed(() -> admin.cancel("r1"));
  }

  @Test
  void aDecidedRequestIsNeitherWithdrawnNorCancelled() {
    ada.decide(decision("ada", "r1", "n1"));

    assertDecided(() -> enforcer.withdraw("r1", ""));
    assertDecided(() -> admin.cancel("r1"));
  }

  @Test
  void aCancelledRequestIsClosed() {
    assertThat(admin.cancel("r1").path("body").path("state").asText()).isEqualTo("cancelled");

    assertThat(ada.requests("ada")).isEmpty();
    assertClosed(() -> ada.decide(decision("ada", "r1", "n1")));
    assertClosed(() -> enforcer.withdraw("r1", ""));
    assertNotFound(() -> admin.cancel("r2"));
  }

  private static void assertClosed(ThrowingCallable call) {
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "ExchangeClosedConflict", "conflict", call);
  }

  private static ObjectNode body(ObjectNode envelope) {
    return (ObjectNode) envelope.get("body");
  }
}
