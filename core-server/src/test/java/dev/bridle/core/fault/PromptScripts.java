package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.integrations.prompt.SamplePrompts;
import dev.bridle.relay.v1.DeleteHarpRepoRequest;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.relay.v1.HarpRepoServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.time.Instant;

/** Prompts that come by HARP. See {@link Scenarios}. */
final class PromptScripts {
  private static final Duration PAST_RETENTION = Duration.ofDays(8);

  private PromptScripts() {}

  static void prompt(World world) {
    HarpRepo repo = map(world);
    assertThat(map(world)).as("the answer to a retry").isEqualTo(repo);
    ObjectNode late = SamplePrompts.until(said(world, "late"), now(world).plusSeconds(5));
    ObjectNode prompt = said(world, "r1");
    JsonNode queued = send(world, prompt);
    assertThat(SamplePrompts.status(queued)).isEqualTo("queued");
    assertThat(send(world, prompt).path("details")).isEqualTo(queued.path("details"));
    TaskLease lease = world.lease("w1");
    String task = queued.at("/details/taskId").asText();
    assertThat(lease.getTask().getId()).isEqualTo(task);
    assertThat(SamplePrompts.status(send(world, prompt))).isEqualTo("delivered");
    var unused = TaskSteps.complete(world, lease);
    String expired = send(world, late).at("/details/taskId").asText();
    world.leaseTimePasses();
    assertThat(SamplePrompts.status(send(world, late))).isEqualTo("expired");
    unmap(world, repo);
    world.expected().completed(task, "user.message");
    if (!expired.isEmpty()) {
      world.expected().task(expired, TaskStatus.TASK_STATUS_CANCELED, "task.canceled");
    }
    world.pass(PAST_RETENTION);
    world.leaseTimePasses();
  }

  private static HarpRepo map(World world) {
    return world.callOnce("map", "key-1", channel -> SamplePrompts.map(channel, world.session()));
  }

  private static void unmap(World world, HarpRepo repo) {
    DeleteHarpRepoRequest request =
        DeleteHarpRepoRequest.newBuilder().setHarpRepoId(repo.getId()).build();
    var unused =
        world.callOnce(
            "unmap",
            "key-2",
            channel -> HarpRepoServiceGrpc.newBlockingStub(channel).deleteHarpRepo(request));
  }

  private static Instant now(World world) {
    return Instant.ofEpochMilli(Timestamps.toMillis(world.now()));
  }

  private static ObjectNode said(World world, String request) {
    return SamplePrompts.prompt(request, "Look around", now(world));
  }

  private static JsonNode send(World world, ObjectNode prompt) {
    return world.call("send prompt", channel -> SamplePrompts.send(channel, prompt));
  }
}
