package dev.bridle.core.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import dev.bridle.relay.v1.PartyRole;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** An enforcer and two approvers, all of the owner. */
final class RelaySteps {
  static final String ENFORCER = "gate";
  static final String FIRST = "bea";
  static final String SECOND = "ben";

  private RelaySteps() {}

  static void approvers(World world) {
    for (String id : List.of(FIRST, SECOND)) {
      call(
          world,
          "approver",
          relay -> {
            relay.approver(id, "");
            return true;
          });
    }
  }

  /** Returns an artifact that can be decided for so many seconds. */
  static ByteString artifact(World world, String request, int seconds) {
    Instant now = Instant.ofEpochMilli(Timestamps.toMillis(world.now()));
    return SampleEnvelopes.artifact(ENFORCER, request, now.plusSeconds(seconds));
  }

  /** Returns an artifact that a routing token leads to its approver. */
  static ByteString routed(World world, String request, String routingToken) {
    Instant now = Instant.ofEpochMilli(Timestamps.toMillis(world.now()));
    return SampleEnvelopes.artifact(
        ENFORCER,
        request,
        SampleEnvelopes.HASH,
        now.plusSeconds(600),
        envelope -> ((ObjectNode) envelope.at("/body/metadata")).put("routingToken", routingToken));
  }

  static String submit(World world, ByteString artifact) {
    return state(call(world, "submit artifact", relay -> relay.submit(artifact)));
  }

  static String decide(World world, ByteString decision) {
    return state(call(world, "decide", relay -> relay.decide(decision)));
  }

  private static String state(JsonNode envelope) {
    return envelope.path("body").path("state").asText();
  }

  static List<JsonNode> requests(World world, String approver) {
    return call(world, "read inbox", relay -> relay.requests(approver));
  }

  static List<String> expired(World world, String approver) {
    return call(world, "read inbox", relay -> RelayClient.ids(relay.expired(approver)));
  }

  static List<JsonNode> decisions(World world) {
    return call(world, "read inbox", relay -> relay.decisions(ENFORCER));
  }

  static void acknowledge(World world, ByteString ack) {
    var unused = call(world, "acknowledge", relay -> relay.acknowledge(ack));
  }

  static void dismiss(World world, String approver, String request) {
    call(
        world,
        "dismiss",
        relay -> {
          relay.dismiss(approver, request);
          return true;
        });
  }

  static void withdraw(World world, String request) {
    var unused = call(world, "withdraw", relay -> relay.withdraw(request, ""));
  }

  static String state(World world, String request) {
    return call(world, "read state", relay -> relay.state(request));
  }

  static void revoke(World world, String approver) {
    call(
        world,
        "revoke",
        relay -> {
          relay.revoke(PartyRole.PARTY_ROLE_APPROVER, approver);
          return true;
        });
  }

  private static <T> T call(World world, String what, Function<RelayClient, T> call) {
    return world.call(what, channel -> call.apply(new RelayClient(channel)));
  }
}
