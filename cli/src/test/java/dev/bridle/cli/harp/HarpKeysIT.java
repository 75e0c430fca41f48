package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.seal.DeviceKeys;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/**
 * Keys behind a relay's sockets: those of credentials are the relay's to check, those that sign
 * decisions the enforcer's.
 */
final class HarpKeysIT extends RelayedDecisions {
  private static DeviceKeys newDevice() {
    return DeviceKeys.create(new SecureRandom());
  }

  private static ObjectNode allow(DeviceKeys device, String approver, Artifact artifact) {
    return new HarpMessages(device, RelayEnds.ENFORCER, approver)
        .decision(artifact, dev.bridle.harp.core.Answer.ALLOW);
  }

  /** Has a device decide, and returns what the relay delivers of it: the same bytes. */
  private static Answer decidedBy(DeviceKeys device, Artifact artifact) {
    ObjectNode decision = allow(device, RelayEnds.APPROVER, artifact);
    RelayEnds.assertAccepted(ends().decide(decision));
    Answer delivered = ends().delivered(artifact);
    assertThat(delivered.text()).contains("\"body\":" + decision.path("body"));
    return delivered;
  }

  private static void assertUnknownKey(Artifact artifact, Answer delivered) {
    RelayEnds.assertRefusedByEnd(
        HarpErrorCode.SIGNATURE_INVALID, "unknown_key", () -> ends().accept(artifact, delivered));
  }

  @Test
  void eachKeyThatTheEnforcerTrustsDecides() throws Exception {
    DeviceKeys second = newDevice();
    ends().trust(second);
    Artifact byTheFirst = ends().submitNew();
    Artifact byTheSecond = ends().submitNew();

    assertThat(ends().accept(byTheFirst, decidedBy(ends().device(), byTheFirst))).isTrue();
    assertThat(ends().accept(byTheSecond, decidedBy(second, byTheSecond))).isTrue();
  }

  @Test
  void aKeyThatTheEnforcerHasRevokedIsRelayedAndRefusedByTheEnforcer() throws Exception {
    DeviceKeys lost = newDevice();
    ends().trust(lost);
    Artifact before = ends().submitNew();
    assertThat(ends().accept(before, decidedBy(lost, before))).isTrue();
    Artifact decided = ends().submitNew();
    Answer delivered = decidedBy(lost, decided);

    ends().revoke(lost);

    assertUnknownKey(decided, delivered);
    Artifact later = ends().submitNew();
    assertUnknownKey(later, decidedBy(lost, later));
  }

  @Test
  void aKeyThatIsNoApproversIsRelayedAndRefusedByTheEnforcer() {
    DeviceKeys ofTheEnforcer = newDevice();
    Artifact artifact = ends().submitNew();

    assertUnknownKey(artifact, decidedBy(ofTheEnforcer, artifact));
  }

  @Test
  void anApproverThatTheRelayHasRevokedIsRefusedByTheRelay() {
    ends().createApprover("lost-phone", "ben");
    ProtocolClient ben = ends().as("ben", "harp:approve");
    Artifact artifact = RelayEnds.newArtifact();
    HarpMessages messages = new HarpMessages(newDevice(), RelayEnds.ENFORCER, "lost-phone");
    RelayEnds.assertAccepted(ends().submit(messages.submission(artifact)));
    ObjectNode party = Json.object().put("role", "approver").put("party_id", "lost-phone");
    assertThat(ends().admin().post("/v1/harp/parties/revoke", party).status()).isEqualTo(200);
    String decision = messages.decision(artifact, dev.bridle.harp.core.Answer.ALLOW).toString();

    assertNotFound(RelayEnds.post(ben, "/v1/decisions", decision));
    assertNotFound(ben.get("/v1/approvers/lost-phone/inbox"));
    assertThat(ends().state(artifact.requestId())).isEqualTo("pendingApproval");
  }

  private static void assertNotFound(Answer answer) {
    RelayEnds.assertRefusedByRelay(404, "HARP_ERR_TRANSPORT", "not_found", answer);
  }

  @Test
  void aCredentialOfTheOtherRoleOrOfSomebodyElseIsRefusedByTheRelay() {
    Artifact artifact = ends().submitNew();
    String decision = allow(ends().device(), RelayEnds.APPROVER, artifact).toString();
    Artifact another = RelayEnds.newArtifact();
    String submission = ends().messages().submission(another).toString();

    RelayEnds.assertRefusedByRelay(
        403,
        "HARP_ERR_TRANSPORT",
        "permission_denied",
        RelayEnds.post(ends().enforcer(), "/v1/decisions", decision));
    RelayEnds.assertRefusedByRelay(
        403,
        "HARP_ERR_TRANSPORT",
        "permission_denied",
        RelayEnds.post(ends().approver(), "/v1/artifacts", submission));
    assertNotFound(RelayEnds.post(ends().as("eve", "harp:approve"), "/v1/decisions", decision));
    assertNotFound(RelayEnds.post(ends().as("eve", "harp:enforce"), "/v1/artifacts", submission));
    RelayEnds.assertRefusedByRelay(
        401,
        "HARP_ERR_TRANSPORT",
        "unauthenticated",
        RelayEnds.post(
            new ProtocolClient(ends().enforcer().base(), "no-key"), "/v1/decisions", decision));
    assertThat(ends().state(artifact.requestId())).isEqualTo("pendingApproval");
    assertThat(ends().state(another.requestId())).isEqualTo("none");
  }
}
