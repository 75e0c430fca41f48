package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.server.WithCore;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.ListAuditEntriesRequest;
import dev.bridle.relay.v1.ListAuditEntriesResponse;
import dev.bridle.relay.v1.PairingDevice;
import dev.bridle.relay.v1.PairingOffer;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import dev.bridle.relay.v1.RelayAuditEntry;
import dev.bridle.relay.v1.RelayAuditKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class RelayAuditTest extends WithCore {
  private RelayClient admin() {
    return new RelayClient(core.owner());
  }

  private List<RelayAuditEntry> entries() {
    var admins = RelayAdminServiceGrpc.newBlockingStub(core.owner());
    List<RelayAuditEntry> all = new ArrayList<>();
    ListAuditEntriesRequest.Builder ask = ListAuditEntriesRequest.newBuilder().setLimit(2);
    ListAuditEntriesResponse page;
    do {
      page = admins.listAuditEntries(ask.build());
      all.addAll(page.getDataList());
      ask.setCursor(page.getPage().getNextCursor());
    } while (page.getPage().getHasMore());
    return all;
  }

  @Test
  void whatHappensToPartiesAndKeysIsRecordedOnceAndInOrder() {
    admin().approver("ada", "ada-phone");
    admin().approver("ada", "ada-phone");
    admin().submit(artifact("gate", "r1", Instant.now().plusSeconds(600)));
    admin().submit(artifact("gate", "r2", Instant.now().plusSeconds(600)));
    admin().cancel("r1");
    admin().cancel("r1");
    admin().revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");
    admin().revoke(PartyRole.PARTY_ROLE_APPROVER, "ada");

    assertThat(entries())
        .extracting(
            RelayAuditEntry::getIndex,
            RelayAuditEntry::getKind,
            RelayAuditEntry::getPartyId,
            RelayAuditEntry::getRequestId)
        .containsExactly(
            tuple(1L, RelayAuditKind.RELAY_AUDIT_KIND_APPROVER_CREATED, "ada", ""),
            tuple(2L, RelayAuditKind.RELAY_AUDIT_KIND_ENFORCER_CLAIMED, "gate", ""),
            tuple(3L, RelayAuditKind.RELAY_AUDIT_KIND_EXCHANGE_CANCELLED, "gate", "r1"),
            tuple(4L, RelayAuditKind.RELAY_AUDIT_KIND_PARTY_REVOKED, "ada", ""));
    assertThat(entries().get(0).getPartyActor()).isEqualTo("ada-phone");
    assertThat(entries()).allSatisfy(entry -> assertThat(entry.getActor()).isNotEmpty());
  }

  @Test
  void aPairingNamesTheKeyByWhichItsDeviceSigns() {
    var offer = PairingOffer.newBuilder().setEnforcerId("gate").setPublicKey("k").build();
    String nonce =
        PairingServiceGrpc.newBlockingStub(core.owner())
            .initiate(InitiateRequest.newBuilder().setOffer(offer).build())
            .getNonce();
    var paired =
        PairingServiceGrpc.newBlockingStub(core.core().channel())
            .complete(
                CompleteRequest.newBuilder()
                    .setNonce(nonce)
                    .setDevice(
                        PairingDevice.newBuilder()
                            .setApproverId("phone")
                            .setPublicKey("sealed-for")
                            .setSigningKey("signs-by")
                            .setSignerKeyId("phone-1"))
                    .build());
    admin().revoke(PartyRole.PARTY_ROLE_APPROVER, "phone");

    assertThat(entries())
        .extracting(RelayAuditEntry::getKind)
        .containsExactly(
            RelayAuditKind.RELAY_AUDIT_KIND_ENFORCER_CLAIMED,
            RelayAuditKind.RELAY_AUDIT_KIND_PAIRING_INITIATED,
            RelayAuditKind.RELAY_AUDIT_KIND_DEVICE_PAIRED,
            RelayAuditKind.RELAY_AUDIT_KIND_PARTY_REVOKED);
    RelayAuditEntry device = entries().get(2);
    assertThat(device.getSigningKey()).isEqualTo("signs-by");
    assertThat(device.getSignerKeyId()).isEqualTo("phone-1");
    assertThat(device.getApiKeyId()).isNotEmpty().isEqualTo(entries().get(3).getApiKeyId());
    assertThat(entries().toString()).doesNotContain(paired.getDeviceToken());
  }

  /** Hashed again as a client would do it, from the JSON that REST has. */
  @Test
  void eachEntryHasTheHashOfTheOneBefore() throws IOException {
    for (int i = 0; i < 5; i++) {
      admin().approver("approver-" + i, "");
    }
    String previous = "";
    for (RelayAuditEntry entry : entries()) {
      ObjectNode json =
          (ObjectNode) new ObjectMapper().readTree(ResourceJson.whole(entry).toByteArray());
      assertThat(json.path("previous_hash").asText("")).isEqualTo(previous);
      String hash = json.remove("hash").textValue();
      json.removeIf(JsonNode::isNull);
      assertThat(Sha256.of(CanonicalJson.bytes(json)).toString()).isEqualTo(hash);
      previous = hash;
    }
  }

  @Tag("slow")
  @Test
  void aTenantHasAThousandEnforcersAtMost() {
    admin().approver("ada", "");
    Instant soon = Instant.now().plusSeconds(600);
    for (int i = 0; i < RelayLimits.MAX_ENFORCERS; i++) {
      admin().submit(artifact("gate-" + i, "r" + i, soon));
      admin().withdraw("r" + i, "");
    }

    assertThat(Refusal.of(() -> admin().submit(artifact("one-more", "more", soon))).getCode())
        .isEqualTo(ErrorCode.ERROR_CODE_POLICY_VIOLATION);
    admin().submit(artifact("gate-0", "again", soon));
  }
}
