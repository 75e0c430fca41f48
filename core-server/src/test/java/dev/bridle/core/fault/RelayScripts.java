package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.core.integrations.relay.SampleEnvelopes;
import java.time.Duration;
import java.util.List;

/** Requests for approval that go through the relay. See {@link Scenarios}. */
final class RelayScripts {
  private static final Duration PAST_RETENTION = Duration.ofDays(8);

  private RelayScripts() {}

  static void decided(World world) {
    RelaySteps.approvers(world);
    ByteString artifact = RelaySteps.artifact(world, "r1", 600);
    assertThat(RelaySteps.submit(world, artifact)).isEqualTo("pendingApproval");
    assertThat(RelaySteps.submit(world, artifact)).isEqualTo("pendingApproval");
    for (String approver : List.of(RelaySteps.FIRST, RelaySteps.SECOND)) {
      assertThat(RelayClient.ids(RelaySteps.requests(world, approver))).containsExactly("r1");
    }
    ByteString decision = SampleEnvelopes.decision(RelaySteps.FIRST, "r1", "n1");
    assertThat(RelaySteps.decide(world, decision)).isEqualTo("decided");
    assertThat(RelaySteps.decide(world, decision)).isEqualTo("decided");
    assertThat(RelaySteps.requests(world, RelaySteps.SECOND)).isEmpty();
    List<JsonNode> delivered = RelaySteps.decisions(world);
    assertThat(delivered).as("the decision, once").hasSize(1);
    ByteString ack =
        SampleEnvelopes.ack("enforcerId", RelaySteps.ENFORCER, delivered.get(0), "processed");
    RelaySteps.acknowledge(world, ack);
    RelaySteps.acknowledge(world, ack);
    assertThat(RelaySteps.decisions(world)).isEmpty();
    assertThat(RelaySteps.submit(world, artifact)).isEqualTo("delivered");
    assertThat(RelaySteps.state(world, "r1")).isEqualTo("delivered");
    forget(world);
  }

  static void undecided(World world) {
    RelaySteps.approvers(world);
    open(world, "withdrawn", 600);
    RelaySteps.withdraw(world, "withdrawn");
    RelaySteps.withdraw(world, "withdrawn");
    assertThat(RelaySteps.requests(world, RelaySteps.FIRST)).isEmpty();
    open(world, "late", 5);
    RelaySteps.dismiss(world, RelaySteps.SECOND, "late");
    RelaySteps.dismiss(world, RelaySteps.SECOND, "late");
    world.leaseTimePasses();
    assertThat(RelaySteps.state(world, "late")).isEqualTo("expired");
    assertThat(RelaySteps.expired(world, RelaySteps.FIRST)).containsExactly("late");
    assertThat(RelaySteps.expired(world, RelaySteps.SECOND)).isEmpty();
    forget(world);
  }

  private static void open(World world, String request, int seconds) {
    assertThat(RelaySteps.submit(world, RelaySteps.artifact(world, request, seconds)))
        .isEqualTo("pendingApproval");
  }

  /** Lets the time pass for which ended exchanges are kept. */
  private static void forget(World world) {
    world.pass(PAST_RETENTION);
    world.leaseTimePasses();
  }
}
