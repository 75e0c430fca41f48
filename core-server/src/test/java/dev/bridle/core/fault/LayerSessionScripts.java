package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.harpsession.SampleSessions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Sessions of other hosts that come by HARP. See {@link Scenarios}. */
final class LayerSessionScripts {
  private static final String ID = "session-elsewhere";
  private static final Duration PAST_RETENTION = Duration.ofDays(8);

  private LayerSessionScripts() {}

  static void session(World world) {
    Instant began = Instant.ofEpochMilli(Timestamps.toMillis(world.now()));
    List<ObjectNode> events =
        List.of(
            SampleSessions.start(ID, began),
            SampleSessions.status(ID, "planning", began.plusSeconds(1)),
            SampleSessions.snapshot(ID, "snap-1", "Planned", began.plusSeconds(2)),
            SampleSessions.end(ID, began.plusSeconds(3)));
    for (ObjectNode event : events) {
      post(world, event);
      post(world, event);
    }
    List<String> shown =
        world.call("show", channel -> SampleSessions.types(SampleSessions.get(channel, ID, 50)));
    assertThat(shown).containsExactly("start", "status", "snapshot", "end");
    world.pass(PAST_RETENTION);
    world.leaseTimePasses();
  }

  private static void post(World world, ObjectNode event) {
    var unused = world.call("post event", channel -> SampleSessions.post(channel, event));
  }
}
