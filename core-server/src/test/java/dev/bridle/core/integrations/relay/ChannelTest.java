package dev.bridle.core.integrations.relay;

import static dev.bridle.core.integrations.relay.SampleEnvelopes.ack;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.artifact;
import static dev.bridle.core.integrations.relay.SampleEnvelopes.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.ListPresenceRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.RequestRefreshRequest;
import dev.bridle.relay.v1.UpdateRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import io.grpc.Channel;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Live channels of parties at two processes over one store. */
final class ChannelTest {
  private static final PartyRole APPROVER = PartyRole.PARTY_ROLE_APPROVER;
  private static final PartyRole ENFORCER = PartyRole.PARTY_ROLE_ENFORCER;
  private static final Instant UNTIL = Instant.parse("2026-11-25T12:00:00Z");

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-25T10:00:00Z");
  private KeyValueStore store;
  private CoreOver one;
  private CoreOver two;
  private RelayClient relay;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    one = CoreOver.start(store, clock, core -> core.withCredentialInterval(Duration.ofMillis(50)));
    two = CoreOver.start(store, clock);
    relay = new RelayClient(two.of(Tenants.DEFAULT));
    relay.approver("ada", "");
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    StoredData.assertSound(store);
    store.close();
  }

  private OpenChannel open(PartyRole role, String party) {
    OpenChannel channel = OpenChannel.of(one.of(Tenants.DEFAULT), role, party);
    await().until(() -> channel.isOpen() || channel.failure().isPresent());
    return channel;
  }

  @Test
  void aChannelSendsWhatWaitsAndThenWhatComesEachOnce() {
    relay.submit(artifact("gate", "r1", UNTIL));
    try (OpenChannel ada = open(APPROVER, "ada");
        OpenChannel gate = open(ENFORCER, "gate")) {
      await().until(() -> ada.requests().equals(List.of("r1")));
      relay.submit(artifact("gate", "r2", UNTIL));
      relay.decide(decision("ada", "r1", "n1"));
      relay.submit(artifact("gate", "r3", UNTIL));

      await().untilAsserted(() -> assertThat(ada.requests()).containsExactly("r1", "r2", "r3"));
      await().untilAsserted(() -> assertThat(gate.requests()).containsExactly("r1"));
      assertThat(gate.envelopes()).isEqualTo(relay.decisions("gate"));
    }
  }

  @Test
  void aNewChannelSendsAgainWhatWasNotAcknowledged() {
    for (int i = 0; i < 30; i++) {
      relay.submit(artifact("gate", "r" + i, UNTIL));
    }
    try (OpenChannel first = open(APPROVER, "ada")) {
      await().until(() -> first.requests().size() == 30);
      relay.acknowledge(ack("approverId", "ada", first.envelopes().get(0), "received"));
      relay.withdraw("r1", "");
    }
    try (OpenChannel second = open(APPROVER, "ada")) {
      await().until(() -> second.requests().size() == 28);
      assertThat(second.requests()).doesNotContain("r0", "r1");
    }
  }

  @Test
  void theNewestChannelOfAnEnforcerSendsAndTheOneBeforeOnceThatIsClosed() {
    relay.submit(artifact("gate", "r1", UNTIL));
    relay.submit(artifact("gate", "r2", UNTIL));
    try (OpenChannel older = open(ENFORCER, "gate")) {
      clock.pass(Duration.ofMillis(1));
      OpenChannel newer = open(ENFORCER, "gate");
      relay.decide(decision("ada", "r1", "n1"));
      await().until(() -> newer.requests().equals(List.of("r1")));
      assertThat(older.requests()).isEmpty();
      relay.acknowledge(ack("enforcerId", "gate", newer.envelopes().get(0), "processed"));
      newer.close();
      relay.decide(decision("ada", "r2", "n2"));

      await().untilAsserted(() -> assertThat(older.requests()).containsExactly("r2"));
    }
  }

  @Test
  void aReaderThatTakesNothingGetsEverythingOnceItDoes() {
    for (int i = 0; i < 5; i++) {
      relay.submit(artifact("gate", "r" + i, UNTIL));
    }
    try (OpenChannel slow = OpenChannel.slow(one.of(Tenants.DEFAULT), APPROVER, "ada")) {
      await().until(slow::isOpen);
      assertThat(slow.requests()).isEmpty();
      slow.take(10);

      await()
          .untilAsserted(
              () -> assertThat(slow.requests()).containsExactly("r0", "r1", "r2", "r3", "r4"));
    }
  }

  @Test
  void aChannelOfSomebodyElsesPartyIsNotFound() {
    relay.submit(artifact("gate", "r1", UNTIL));
    Channel eve = one.as(one.core().processCredential(Tenants.DEFAULT, "eve", Set.of("*")));

    for (OpenChannel channel :
        List.of(
            OpenChannel.of(eve, APPROVER, "ada"),
            OpenChannel.of(eve, ENFORCER, "gate"),
            OpenChannel.of(eve, APPROVER, "nobody"))) {
      await().until(() -> channel.failure().isPresent());
      assertThat(Status.fromThrowable(channel.failure().get()).getCode())
          .isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void aChannelThatOnlyReadsClaimsNoId() {
    Channel eve = one.as(one.core().processCredential(Tenants.DEFAULT, "eve", Set.of("*")));
    OpenChannel early = OpenChannel.reading(eve, ENFORCER, "gate");
    await().until(() -> early.failure().isPresent());
    assertThat(Status.fromThrowable(early.failure().get()).getCode())
        .isEqualTo(Status.Code.NOT_FOUND);

    relay.submit(artifact("gate", "r1", UNTIL));

    relay.decide(decision("ada", "r1", "n1"));
    try (OpenChannel gate = OpenChannel.reading(one.of(Tenants.DEFAULT), ENFORCER, "gate")) {
      await().untilAsserted(() -> assertThat(gate.requests()).containsExactly("r1"));
    }
  }

  @Test
  void theChannelsOfARevokedPartyEnd() {
    OpenChannel ada = open(APPROVER, "ada");
    relay.submit(artifact("gate", "r1", UNTIL));
    await().until(() -> ada.requests().size() == 1);
    relay.approver("ben", "");
    relay.revoke(APPROVER, "ada");
    relay.withdraw("r1", "");

    await().until(() -> ada.failure().isPresent());
    assertThat(Status.fromThrowable(ada.failure().get()).getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void theChannelsOfARevokedCredentialEnd() {
    var admin = AdminServiceGrpc.newBlockingStub(one.operator());
    CreateApiKeyResponse key =
        admin.createApiKey(CreateApiKeyRequest.newBuilder().setActor("gate-keeper").build());
    OpenChannel gate = OpenChannel.of(one.as(key.getSecret()), ENFORCER, "gate");
    await().until(gate::isOpen);
    var unused =
        admin.revokeApiKey(RevokeApiKeyRequest.newBuilder().setKeyId(key.getKey().getId()).build());

    await().until(() -> gate.failure().isPresent());
    assertThat(Status.fromThrowable(gate.failure().get()).getCode())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    await().until(() -> !presence("gate").getOnline());
  }

  @Test
  void anEnforcerIsOnlineWhileAChannelIsOpenAndForgottenTenMinutesLater() {
    OpenChannel gate = open(ENFORCER, "gate");
    var channels = RelayChannelServiceGrpc.newBlockingStub(two.of(Tenants.DEFAULT));
    var unused =
        channels.update(
            UpdateRequest.newBuilder()
                .setChannelId(gate.id())
                .setRole(ENFORCER)
                .setPartyId("gate")
                .setWorkspaceName("airlock")
                .putCapabilities("push", true)
                .build());

    Presence online = presence("gate");
    assertThat(online.getOnline()).isTrue();
    assertThat(online.getTransport()).isEqualTo("websocket");
    assertThat(online.getWorkspaceName()).isEqualTo("airlock");
    assertThat(online.getCapabilitiesMap()).containsEntry("push", true);
    gate.close();
    await().until(() -> !presence("gate").getOnline());
    assertThat(channels.listPresence(ListPresenceRequest.getDefaultInstance()).getDataList())
        .extracting(Presence::getEnforcerDeviceId)
        .containsExactly("gate");
    clock.pass(Duration.ofMinutes(10));
    Relayed.assertNotFound(() -> presence("gate"));
    Relayed.assertNotFound(
        () ->
            channels.update(
                UpdateRequest.newBuilder()
                    .setChannelId(gate.id())
                    .setRole(ENFORCER)
                    .setPartyId("gate")
                    .build()));
  }

  @Test
  void aChannelWhoseProcessSaysNothingForTooLongCountsAsClosed() {
    OpenChannel gate = open(ENFORCER, "gate");
    clock.pass(Duration.ofSeconds(91));

    assertThat(presence("gate").getOnline()).isFalse();
    gate.close();
  }

  private Presence presence(String enforcer) {
    return RelayChannelServiceGrpc.newBlockingStub(two.of(Tenants.DEFAULT))
        .getPresence(GetPresenceRequest.newBuilder().setEnforcerDeviceId(enforcer).build());
  }

  @Test
  void aRecipientAsksTheEnforcerThatIsThereForARefresh() {
    relay.submit(artifact("gate", "r1", UNTIL));
    assertOffline("gate");
    try (OpenChannel gate = open(ENFORCER, "gate")) {
      refresh("gate");
      await().until(() -> gate.envelopes().size() == 1);

      assertThat(gate.envelopes().get(0).path("msgType").asText()).isEqualTo("refresh.request");
      assertThat(gate.requests()).containsExactly("r1");
      assertOffline("another");
    }
  }

  private void refresh(String enforcer) {
    var unused =
        RelayChannelServiceGrpc.newBlockingStub(two.of(Tenants.DEFAULT))
            .requestRefresh(
                RequestRefreshRequest.newBuilder()
                    .setRequestId("r1")
                    .setEnforcerDeviceId(enforcer)
                    .build());
  }

  private void assertOffline(String enforcer) {
    Relayed.assertRefused(
        ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
        "HARP_ERR_TRANSPORT",
        "offline",
        () -> refresh(enforcer));
  }
}
