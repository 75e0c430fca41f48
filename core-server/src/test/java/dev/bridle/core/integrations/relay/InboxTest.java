package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.HASH;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.relay.v1.PartyRole;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InboxTest extends Relayed {
  private static final PartyRole APPROVER = PartyRole.PARTY_ROLE_APPROVER;

  @Test
  void requestsAreListedInTheOrderInWhichTheyCame() {
    List<String> ids = List.of("z", "b", "y", "a");
    ids.forEach(this::submit);

    assertThat(RelayClient.ids(ada.requests("ada"))).isEqualTo(ids);
  }

  @Test
  void aPageEndsAtItsLimitAndIsContinuedByItsCursor() {
    for (int i = 0; i < 5; i++) {
      submit("r" + i);
    }

    JsonNode first = ada.page(RelayClient.inbox(APPROVER, "ada").setLimit(2));
    assertThat(first.path("items")).hasSize(2);
    String cursor = first.path("nextCursor").asText();
    JsonNode second = ada.page(RelayClient.inbox(APPROVER, "ada").setLimit(10).setCursor(cursor));
    assertThat(second.path("items")).hasSize(3);
    assertThat(second.path("nextCursor").isNull()).isTrue();
    Refusal.assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () -> ben.page(RelayClient.inbox(APPROVER, "ben").setCursor(cursor)));
  }

  @Test
  void largeRequestsAreListedOneByOne() {
    for (int i = 0; i < 3; i++) {
      enforcer.submit(
          artifact(
              "gate-1",
              "r" + i,
              HASH,
              soon(),
              envelope ->
                  ((ObjectNode) envelope.get("body").get("ciphertext"))
                      .put("data", "A".repeat(2_090_000))));
    }

    assertThat(ada.page(RelayClient.inbox(APPROVER, "ada")).path("items")).hasSize(1);
    assertThat(RelayClient.ids(ada.requests("ada"))).containsExactly("r0", "r1", "r2");
  }

  @Test
  void aDismissedRequestIsNotListedAndCanStillBeDecided() {
    submit("r1");
    ada.dismiss("ada", "r1");
    ada.dismiss("ada", "r1");

    assertThat(ada.requests("ada")).isEmpty();
    assertThat(RelayClient.ids(ben.requests("ben"))).containsExactly("r1");
    ada.decide(decision("ada", "r1", "n1"));
    assertThat(ben.requests("ben")).isEmpty();
    assertNotFound(() -> ada.dismiss("ada", "r2"));
    assertNotFound(() -> ben.dismiss("ada", "r1"));
  }

  @Test
  void theInboxOfSomebodyElseIsNotFoundAndReadingClaimsNothing() {
    assertNotFound(() -> ada.requests("ben"));
    assertNotFound(() -> ada.requests("nobody"));
    assertNotFound(() -> enforcer.decisions("gate-1"));
    submit("r1");

    assertThat(enforcer.decisions("gate-1")).isEmpty();
  }

  @Test
  void anInboxNeedsTheScopeOfItsRole() {
    submit("r1");

    assertThat(Refusal.of(() -> ada.decisions("gate-1")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
    assertThat(Refusal.of(() -> enforcer.requests("ada")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
    RelayClient reader = new RelayClient(core.as("ada-phone", List.of("tasks:read"), List.of()));
    assertThat(Refusal.of(() -> reader.requests("ada")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  @Test
  void oneCredentialMayHoldBothRoles() {
    RelayClient both =
        new RelayClient(
            core.as("solo", List.of("harp:enforce", "harp:approve", "harp:admin"), List.of()));
    both.approver("solo-phone", "");
    both.submit(
        artifact(
            "solo-gate",
            "r1",
            HASH,
            soon(),
            envelope -> envelope.putObject("recipient").put("approverId", "solo-phone")));
    both.decide(decision("solo-phone", "r1", "n1"));

    assertThat(RelayClient.ids(both.decisions("solo-gate"))).containsExactly("r1");
  }

  @Test
  void anApproverWithAFullInboxIsPassedOverUntilItHasRoom() {
    for (int i = 0; i < 200; i++) {
      enforcer.submit(forAda("r" + i));
    }

    assertRefused(
        ErrorCode.ERROR_CODE_RATE_LIMITED,
        "HARP_ERR_TRANSPORT",
        "too_many_pending",
        () -> enforcer.submit(forAda("one-more")));
    submit("for-all");
    assertThat(RelayClient.ids(ben.requests("ben"))).containsExactly("for-all");
    enforcer.withdraw("r7", "");
    enforcer.submit(forAda("one-more"));
    List<String> expected = new ArrayList<>(RelayClient.ids(ada.requests("ada")));
    assertThat(expected).hasSize(200).contains("one-more").doesNotContain("r7", "for-all");
  }

  private static ByteString forAda(String request) {
    return artifact(
        "gate-1",
        request,
        HASH,
        soon(),
        envelope -> envelope.putObject("recipient").put("approverId", "ada"));
  }
}
