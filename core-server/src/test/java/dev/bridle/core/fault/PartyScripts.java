package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.core.Refusal;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.GetPresenceRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.Presence;
import dev.bridle.relay.v1.RelayChannelServiceGrpc;
import dev.bridle.relay.v1.RequestRefreshRequest;
import io.grpc.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Devices that are paired, and parties with an open channel. See {@link Scenarios}. */
final class PartyScripts {
  private static final Duration PAST_RETENTION = Duration.ofDays(8);

  private PartyScripts() {}

  /**
   * A device that has a token.
   *
   * @param id its approver
   * @param nonce the nonce of its pairing
   * @param tokens its token and the enforcer's
   */
  private record Paired(String id, String nonce, CompleteResponse tokens) {}

  static void pairing(World world) {
    Paired phone = pair(world);
    PairingSteps.confirm(world, phone.nonce(), "cHJvb2Y");
    PairingSteps.confirm(world, phone.nonce(), "cHJvb2Y");
    assertThat(PairingSteps.refusesToConfirm(world, phone.nonce(), "b3RoZXI")).isTrue();
    String token = phone.tokens().getDeviceToken();
    assertThat(PairingSteps.statusOf(world, token, phone.nonce()).orElseThrow().getConfirmation())
        .isEqualTo("cHJvb2Y");
    String routing = phone.tokens().getRoutingToken();
    assertThat(PairingSteps.status(world, phone.nonce()).getRoutingToken()).isEqualTo(routing);
    assertThat(RelaySteps.submit(world, RelaySteps.routed(world, "r1", routing)))
        .isEqualTo("pendingApproval");
    assertThat(inbox(world, token, phone.id())).containsExactly("r1");
    RelaySteps.revoke(world, phone.id());
    RelaySteps.revoke(world, phone.id());
    assertThat(PairingSteps.statusOf(world, token, phone.nonce())).isEmpty();
    assertThat(
            Refusal.of(() -> RelaySteps.submit(world, RelaySteps.routed(world, "r2", routing)))
                .getDetails()
                .toStringUtf8())
        .contains("no_approver");
    RelaySteps.withdraw(world, "r1");
    forget(world);
    for (String secret : List.of(token, routing, phone.nonce())) {
      world.expected().gone(secret);
    }
  }

  /** Pairs a device, which gets its token however often an answer is lost. */
  private static Paired pair(World world) {
    String id = "phone";
    InitiateResponse begun = PairingSteps.initiate(world);
    String nonce = PairingSteps.resolve(world, begun.getCode());
    assertThat(nonce).isEqualTo(begun.getNonce());
    CompleteResponse tokens = PairingSteps.complete(world, nonce, id);
    assertThat(PairingSteps.complete(world, nonce, id)).as("the same again").isEqualTo(tokens);
    assertThat(PairingSteps.refusesToComplete(world, nonce, id)).isTrue();
    assertThat(PairingSteps.status(world, nonce).getDevice().getApproverId()).isEqualTo(id);
    return new Paired(id, nonce, tokens);
  }

  private static List<String> inbox(World world, String token, String approver) {
    return world.callAs(
        "read inbox",
        token,
        channel -> RelayClient.ids(new RelayClient(channel).requests(approver)));
  }

  static void channels(World world) {
    RelaySteps.approvers(world);
    PartyChannel ada = new PartyChannel(PartyRole.PARTY_ROLE_APPROVER, RelaySteps.FIRST);
    PartyChannel gate = new PartyChannel(PartyRole.PARTY_ROLE_ENFORCER, RelaySteps.ENFORCER);
    var unused = world.call("open channel", ada::received);
    unused = world.call("open channel", gate::received);
    RelaySteps.submit(world, RelaySteps.artifact(world, "r1", 6000));
    JsonNode request = await(world, ada, "approval.request");
    RelaySteps.acknowledge(
        world, SampleEnvelopes.ack("approverId", RelaySteps.FIRST, request, "received"));
    askForRefresh(world, gate);
    RelaySteps.decide(world, SampleEnvelopes.decision(RelaySteps.FIRST, "r1", "n1"));
    JsonNode decision = await(world, gate, "decision.deliver");
    assertThat(decision).isEqualTo(RelaySteps.decisions(world).get(0));
    assertThat(isOnline(world, gate)).isTrue();
    RelaySteps.acknowledge(
        world, SampleEnvelopes.ack("enforcerId", RelaySteps.ENFORCER, decision, "processed"));
    for (PartyChannel channel : List.of(ada, gate)) {
      List<JsonNode> sent = world.call("close channel", caller -> channel.close());
      assertThat(sent)
          .filteredOn(envelope -> !envelope.path("msgType").asText().equals("refresh.request"))
          .as("what one channel has sent")
          .doesNotHaveDuplicates();
    }
    assertThat(
            world.timePassesUntil(
                presence -> !presence.getOnline(), "read presence", PartyScripts::presence))
        .extracting(Presence::getOnline)
        .isEqualTo(false);
    forget(world);
  }

  /** Waits for a message of a type on a channel. */
  private static JsonNode await(World world, PartyChannel channel, String type) {
    return first(
            world.timePassesUntil(
                envelopes -> first(envelopes, type).isPresent(), "receive", channel::received),
            type)
        .orElseThrow(() -> new AssertionError("no " + type + " came"));
  }

  private static Optional<JsonNode> first(List<JsonNode> envelopes, String type) {
    return envelopes.stream()
        .filter(envelope -> envelope.path("msgType").asText().equals(type))
        .findFirst();
  }

  /** Asks until the enforcer has received it: it reaches a channel that is open only. */
  private static void askForRefresh(World world, PartyChannel gate) {
    RequestRefreshRequest request =
        RequestRefreshRequest.newBuilder()
            .setRequestId("r1")
            .setEnforcerDeviceId(RelaySteps.ENFORCER)
            .build();
    List<JsonNode> received =
        world.timePassesUntil(
            envelopes -> first(envelopes, "refresh.request").isPresent(),
            "ask for refresh",
            caller -> {
              List<JsonNode> before = gate.received(caller);
              var unused = RelayChannelServiceGrpc.newBlockingStub(caller).requestRefresh(request);
              return before;
            });
    assertThat(first(received, "refresh.request")).isPresent();
  }

  private static boolean isOnline(World world, PartyChannel gate) {
    return world
        .timePassesUntil(
            Presence::getOnline,
            "read presence",
            caller -> {
              var unused = gate.received(caller);
              return presence(caller);
            })
        .getOnline();
  }

  private static Presence presence(Channel caller) {
    return RelayChannelServiceGrpc.newBlockingStub(caller)
        .getPresence(
            GetPresenceRequest.newBuilder().setEnforcerDeviceId(RelaySteps.ENFORCER).build());
  }

  /** Lets the time pass for which channels, pairings and ended exchanges are kept. */
  private static void forget(World world) {
    for (int i = 0; i < 2; i++) {
      world.pass(PAST_RETENTION);
      world.leaseTimePasses();
    }
  }
}
