package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.relay.v1.ListPartiesRequest;
import dev.bridle.relay.v1.ListPartiesResponse;
import dev.bridle.relay.v1.Party;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartiesTest extends Relayed {
  @Test
  void partiesAreListedWithWhomTheyBelongTo() {
    submit("r1");
    var admins =
        RelayAdminServiceGrpc.newBlockingStub(core.as("root", List.of("harp:admin"), List.of()));

    ListPartiesResponse first =
        admins.listParties(ListPartiesRequest.newBuilder().setLimit(2).build());
    ListPartiesResponse second =
        admins.listParties(
            ListPartiesRequest.newBuilder().setCursor(first.getPage().getNextCursor()).build());

    assertThat(first.getDataList())
        .extracting(Party::getId, Party::getActor)
        .containsExactly(tuple("ada", "ada-phone"), tuple("ben", "ben-phone"));
    assertThat(second.getDataList()).extracting(Party::getId).containsExactly("gate-1");
    assertThat(second.getData(0).getRole()).isEqualTo(PartyRole.PARTY_ROLE_ENFORCER);
    assertThat(second.getPage().getHasMore()).isFalse();
  }

  @Test
  void anApproverIsCreatedOnceAndBelongsToOneActor() {
    admin.approver("ada", "ada-phone");

    assertThat(Refusal.of(() -> admin.approver("ada", "thief")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertThat(Refusal.of(() -> ada.approver("cleo", "")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
  }

  @Test
  void aRevokedApproverReceivesAndDecidesNothing() {
    submit("r1");
    admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");
    admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");
    submit("r2");

    assertNotFound(() -> ada.requests("ada"));
    assertNotFound(() -> ada.decide(decision("ada", "r1", "n1")));
    assertNotFound(() -> ada.state("r1"));
    assertThat(RelayClient.ids(ben.requests("ben"))).containsExactly("r1", "r2");
    assertThat(Refusal.of(() -> admin.approver("ada", "ada-phone")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_CONFLICT);
    assertNotFound(() -> admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "nobody"));
  }

  @Test
  void theOpenRequestsOfARevokedEnforcerAreCancelled() {
    for (int i = 0; i < 60; i++) {
      submit("r" + i);
    }
    admin.revoke(PartyRole.PARTY_ROLE_ENFORCER, "gate-1");

    assertThat(ada.requests("ada")).isEmpty();
    assertThat(ada.state("r0")).isEqualTo("cancelled");
    assertThat(ada.state("r59")).isEqualTo("cancelled");
    assertNotFound(() -> enforcer.submit(artifact("gate-1", "more", soon())));
    assertNotFound(() -> enforcer.state("r0"));
  }

  @Test
  void aTenantHasAHundredApproversAtMost() {
    for (int i = 2; i < 100; i++) {
      admin.approver("approver-" + i, "");
    }

    assertThat(Refusal.of(() -> admin.approver("one-more", "")).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_POLICY_VIOLATION);
    admin.revoke(PartyRole.PARTY_ROLE_APPROVER, "approver-7");
    admin.approver("one-more", "");
  }

  @Test
  void anotherTenantHasPartiesAndRequestsOfItsOwn() {
    submit("r1");
    String secret =
        AdminServiceGrpc.newBlockingStub(core.operator())
            .createApiKey(
                CreateApiKeyRequest.newBuilder().setTenantId("other").setActor("ada-phone").build())
            .getSecret();
    RelayClient other = new RelayClient(core.as(secret));

    assertNotFound(() -> other.requests("ada"));
    assertNotFound(() -> other.state("r1"));
    other.approver("ada", "");
    other.submit(artifact("gate-1", "r1", soon()));
    assertThat(other.requests("ada")).hasSize(1);
    assertThat(enforcer.state("r1")).isEqualTo("pendingApproval");
  }
}
