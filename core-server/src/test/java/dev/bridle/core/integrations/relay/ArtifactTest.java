package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.OTHER_HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.aad;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.relay.v1.PartyRole;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class ArtifactTest extends Relayed {
  private static final String TRANSPORT = "HARP_ERR_TRANSPORT";
  private static final ErrorCode INVALID = ErrorCode.ERROR_CODE_INVALID_REQUEST;
  private static final ErrorCode POLICY = ErrorCode.ERROR_CODE_POLICY_VIOLATION;

  @Test
  void anArtifactReachesEveryApproverOfTheTenantOnce() {
    JsonNode accepted = submit("r1");

    assertThat(accepted.path("msgType").asText()).isEqualTo("artifact.accepted");
    assertThat(accepted.path("body").path("state").asText()).isEqualTo("pendingApproval");
    assertThat(RelayClient.ids(ada.requests("ada"))).containsExactly("r1");
    assertThat(RelayClient.ids(ben.requests("ben"))).containsExactly("r1");
    assertThat(ada.requests("ada").get(0).path("msgId").asText())
        .isNotEqualTo(ben.requests("ben").get(0).path("msgId").asText());
  }

  @Test
  void anApprovalRequestHasWhatItsClientNeedsAndNothingThatOnlyRoutes() {
    Instant until = Instant.now().plusSeconds(600);
    enforcer.submit(artifact("gate-1", "r1", until));

    JsonNode request = ada.requests("ada").get(0);
    assertThat(request.path("msgType").asText()).isEqualTo("approval.request");
    assertThat(request.path("expiresAt").asText()).isEqualTo(until.toString());
    assertThat(request.path("recipient").path("approverId").asText()).isEqualTo("ada");
    assertThat(request.path("sender").path("gatewayId").asText()).startsWith("installation_");
    JsonNode body = request.path("body");
    assertThat(body.path("artifactHash").asText()).isEqualTo("sha256:" + HASH);
    assertThat(body.path("ciphertextRef").path("data").asText()).isEqualTo("c2VhbGVk");
    assertThat(body.path("ciphertext").path("tag").asText()).isEqualTo("dGFn");
    assertThat(body.path("repoRef").asText()).isEqualTo("repo:acme/widgets");
    assertThat(body.path("artifactHashAlg").asText()).isEqualTo("SHA-256");
    assertThat(names(body.path("metadata")))
        .containsExactlyInAnyOrder("workspaceName", "repoName", "requestLabel");
  }

  private static Set<String> names(JsonNode object) {
    return ((ObjectNode) object)
        .properties().stream().map(member -> member.getKey()).collect(Collectors.toSet());
  }

  @Test
  void anArtifactForOneApproverReachesNobodyElse() {
    for (boolean recipient : new boolean[] {true, false}) {
      enforcer.submit(
          artifact(
              "gate-1",
              "r-" + recipient,
              HASH,
              soon(),
              recipient
                  ? envelope -> envelope.putObject("recipient").put("approverId", "ben")
                  : envelope -> metadata(envelope).put("approverId", "ben")));
    }

    assertThat(ada.requests("ada")).isEmpty();
    assertThat(RelayClient.ids(ben.requests("ben"))).containsExactly("r-true", "r-false");
  }

  @Test
  void theSameArtifactAgainDoublesNothing() {
    ByteString artifact = artifact("gate-1", "r1", soon());
    enforcer.submit(artifact);
    String before = ada.requests("ada").toString();
    JsonNode again = enforcer.submit(artifact);

    assertThat(again.path("msgType").asText()).isEqualTo("artifact.accepted");
    assertThat(ada.requests("ada").toString()).isEqualTo(before);
  }

  @Test
  void theSameArtifactIsAcceptedAgainAfterItsDecision() {
    ByteString artifact = artifact("gate-1", "r1", soon());
    enforcer.submit(artifact);
    ada.decide(decision("ada", "r1", "n1"));

    assertThat(enforcer.submit(artifact).path("body").path("state").asText()).isEqualTo("decided");
    assertThat(ada.requests("ada")).isEmpty();
  }

  @Test
  void anotherArtifactForTheRequestIsAConflictEvenWithAWrongHeader() {
    submit("r1");

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyExistsConflict",
        "conflict",
        () ->
            enforcer.submit(
                artifact(
                    "gate-1",
                    "r1",
                    OTHER_HASH,
                    soon(),
                    envelope -> ciphertext(envelope).put("aad", "e30"))));
  }

  @Test
  void theRequestOfAnotherEnforcerIsAConflict() {
    submit("r1");

    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "AlreadyExistsConflict",
        "conflict",
        () -> enforcer.submit(artifact("gate-2", "r1", soon())));
  }

  private static Stream<Refused> refused() {
    Instant until = Instant.now().plusSeconds(600);
    return Stream.of(
        new Refused(
            "a plaintext",
            INVALID,
            "HARP_ERR_UNSUPPORTED",
            "plaintext",
            envelope -> body(envelope).putObject("payload").put("command", "rm")),
        new Refused(
            "another algorithm",
            INVALID,
            "HARP_ERR_UNSUPPORTED",
            "unknown_algorithm",
            envelope -> ciphertext(envelope).put("alg", "ROT13")),
        new Refused(
            "another type",
            INVALID,
            "HARP_ERR_UNSUPPORTED",
            "type",
            envelope -> envelope.put("msgType", "prompt.send")),
        new Refused(
            "an unknown member",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> envelope.put("more", "x")),
        new Refused(
            "a null",
            INVALID,
            "HARP_ERR_CANONICALIZATION",
            "canonical",
            envelope -> metadata(envelope).putNull("requestLabel")),
        new Refused(
            "no enforcer", INVALID, TRANSPORT, "schema", envelope -> envelope.putObject("sender")),
        new Refused(
            "a long id of a request",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> envelope.put("requestId", "r".repeat(257))),
        new Refused(
            "a long id of an enforcer",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> envelope.putObject("sender").put("enforcerId", "e".repeat(129))),
        new Refused(
            "another expiry in the envelope",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> envelope.put("expiresAt", "2030-01-01T00:00:00Z")),
        new Refused(
            "two approvers",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> {
              envelope.putObject("recipient").put("approverId", "ada");
              metadata(envelope).put("approverId", "ben");
            }),
        new Refused(
            "a time of making that is to come",
            INVALID,
            TRANSPORT,
            "created_in_future",
            envelope -> envelope.put("createdAt", Instant.now().plusSeconds(120).toString())),
        new Refused(
            "a header that is not base64url",
            INVALID,
            TRANSPORT,
            "schema",
            envelope -> ciphertext(envelope).put("aad", "%%%")),
        new Refused(
            "a header of another request",
            POLICY,
            "HARP_ERR_HASH_MISMATCH",
            "header",
            envelope ->
                ciphertext(envelope)
                    .put("aad", aad("r9", HASH, until.toString(), until.toString()))),
        new Refused(
            "a header of another artifact",
            POLICY,
            "HARP_ERR_HASH_MISMATCH",
            "header",
            envelope ->
                ciphertext(envelope)
                    .put("aad", aad("r1", OTHER_HASH, until.toString(), until.toString()))),
        new Refused(
            "an expiry in the past",
            POLICY,
            "HARP_ERR_EXPIRED",
            "expired",
            envelope -> {
              body(envelope).put("expiresAt", "2020-01-01T00:00:00Z");
              ciphertext(envelope).remove("aad");
            }),
        new Refused(
            "an unknown approver",
            POLICY,
            "HARP_ERR_POLICY_DENY",
            "no_approver",
            envelope -> metadata(envelope).put("approverId", "eve")),
        new Refused(
            "an unknown token",
            POLICY,
            "HARP_ERR_POLICY_DENY",
            "unknown_routing_token",
            envelope -> metadata(envelope).put("routingToken", "rt-1")),
        new Refused(
            "too many bytes",
            ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
            TRANSPORT,
            "too_large",
            envelope -> ciphertext(envelope).put("data", "A".repeat(2 << 20))));
  }

  /** An artifact that is refused, and how. */
  private record Refused(
      String name, ErrorCode code, String harp, String reason, Consumer<ObjectNode> change) {}

  @TestFactory
  Stream<DynamicTest> whatBreaksARuleIsRefusedWithHarpsCodeAndLeavesNothing() {
    return refused()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.name(),
                    () -> {
                      assertRefused(
                          each.code(),
                          each.harp(),
                          each.reason(),
                          () ->
                              enforcer.submit(
                                  artifact("gate-1", "r1", HASH, soon(), each.change())));
                      assertNotFound(() -> enforcer.state("r1"));
                      assertThat(ada.requests("ada")).isEmpty();
                    }));
  }

  @Test
  void anArtifactWithoutAnAuthenticatedHeaderIsRelayedWithoutOne() {
    enforcer.submit(
        artifact("gate-1", "r1", HASH, soon(), envelope -> ciphertext(envelope).remove("aad")));

    assertThat(ada.requests("ada").get(0).path("body").has("repoRef")).isFalse();
  }

  @Test
  void aTenantWithoutApproversCanDecideNothing() {
    admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");
    admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "ben");

    assertRefused(POLICY, "HARP_ERR_POLICY_DENY", "no_approver", () -> submit("r1"));
  }

  @Test
  void theIdOfAnotherActorsEnforcerIsNotFound() {
    submit("r1");
    RelayClient other = new RelayClient(core.as("thief", List.of("harp:enforce"), List.of()));

    assertNotFound(() -> other.submit(artifact("gate-1", "r2", soon())));
    assertNotFound(() -> other.state("r1"));
    assertNotFound(() -> other.withdraw("r1", ""));
    assertNotFound(() -> other.await("r1", 1));
    assertNotFound(() -> other.decisions("gate-1"));
  }

  private static ObjectNode body(ObjectNode envelope) {
    return (ObjectNode) envelope.get("body");
  }

  private static ObjectNode ciphertext(ObjectNode envelope) {
    return (ObjectNode) body(envelope).get("ciphertext");
  }

  private static ObjectNode metadata(ObjectNode envelope) {
    return (ObjectNode) body(envelope).get("metadata");
  }
}
