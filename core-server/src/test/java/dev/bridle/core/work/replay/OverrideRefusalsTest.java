package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.TaskLease;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which overrides are accepted. */
final class OverrideRefusalsTest extends OverriddenTasks {
  @Test
  void anArtifactCanHoldWhatReplacesAValue() {
    Task source = completed();
    TaskLease other = leased();
    Artifact json =
        core.workers()
            .reportStep(
                WorkerRequests.step(other, "json")
                    .setArtifact(
                        WorkerRequests.artifact().setContent(ByteString.copyFromUtf8(" [1, 2]")))
                    .build())
            .getStep()
            .getArtifact();
    Artifact text = core.workers().reportStep(artifact(other, "text")).getStep().getArtifact();
    complete(other, "done");
    ReplayOverride.Builder by = override().clearValue();

    Task replay =
        replay(
            source,
            with(
                KEY,
                by.setArtifactId(json.getId())
                    .setSha256(Sha256.of(" [1, 2]".getBytes(StandardCharsets.UTF_8)).toString())));

    assertThat(list(lease(replays, replay)).getSteps(0).getValue().toStringUtf8())
        .isEqualTo(" [1, 2]");
    assertInvalid(
        "override[llm:1].artifact_id", source, by.clearSha256().setArtifactId(text.getId()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> replay(source, with(KEY, by.setArtifactId("artifact_none"))));
  }

  private void assertInvalid(String param, Task source, ReplayOverride.Builder override) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> replay(source, with(KEY, override)));
  }

  @Test
  void anOverrideThatDoesNotFitItsRecordIsRejected() {
    Task source = completed();
    var kinds = ReplayOverrideKind.values();

    assertInvalid("override[llm:1].value", source, override().clearValue());
    assertInvalid("override[llm:1].value", source, override().setArtifactId("artifact_1"));
    assertInvalid(
        "override[llm:1].sha256", source, override().setSha256("sha256:" + "a".repeat(64)));
    assertInvalid("override[llm:1].target", source, override().setTarget("2"));
    assertInvalid("override[llm:1].event_id", source, override().setEventId("event_1"));
    assertInvalid(
        "override[llm:1].value",
        source,
        override().setValue(ByteString.copyFromUtf8("9007199254740993")));
    for (String kind : List.of("MCP_TOOL_RETURN", "TIME", "HOST_FACT")) {
      assertInvalid(
          "override[llm:1].kind",
          source,
          override().setKind(ReplayOverrideKind.valueOf("REPLAY_OVERRIDE_KIND_" + kind)));
    }
    assertThat(kinds).hasSize(10);
    assertInvalid(
        "override[llm:1].kind",
        source,
        override().setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_SECRET_VALUE));
    for (String key : List.of("note", "said", "llm:2")) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "override",
          () ->
              replay(
                  source,
                  with(
                      key,
                      override().setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_TOOL_RESULT))));
    }
    assertThat(
            replay(
                    source,
                    with(
                        KEY,
                        override()
                            .setTarget("1")
                            .setEventId(
                                events(source, EventKinds.DEPENDENCY_RECORDED).get(0).getId())
                            .setSha256(
                                Sha256.of("{\"b\":2}".getBytes(StandardCharsets.UTF_8))
                                    .toString())))
                .getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
  }

  @Test
  void aRequestThatContradictsItselfIsRejected() {
    Task source = completed();

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () -> replay(source, with(KEY, override()).setMode(ReplayMode.REPLAY_MODE_EXACT)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () -> replay(source, with(KEY, override()).clearOverride()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "depth",
        () -> replay(source, with(KEY, override()).setDepth(ReplayDepth.REPLAY_DEPTH_LOG)));
    TaskLease canceled = leased();
    step(canceled, dependency(canceled, KEY).toBuilder());
    String id = cancel(canceled.getTask().getId()).getId();
    var unused =
        core.workers()
            .acknowledgeCancel(
                AcknowledgeCancelRequest.newBuilder()
                    .setTaskId(id)
                    .setFence(canceled.getFence())
                    .build());
    assertUnsupported("mode", () -> overridden(core.task(canceled.getTask().getId())));
  }

  @Test
  void keysOfReplaysThemselvesCanNotBeReplaced() {
    Task task = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, "replay:end").toBuilder());
    complete(first, "done");

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () ->
            replay(
                core.task(task.getId()),
                with(
                    "replay:end",
                    override().setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_TOOL_RESULT))));
  }

  @Test
  void anArtifactNeedsTheScopeToReadIt() {
    Task source = completed();
    var channel = core.as(core.core().processCredential("default", "clerk", Set.of("tasks:write")));

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            ReplayServiceGrpc.newBlockingStub(channel)
                .replayTask(
                    with(KEY, override().clearValue().setArtifactId("artifact_1"))
                        .setTaskId(source.getId())
                        .build()));
  }

  @Test
  void valuesAreBoundedTogether() {
    Task task = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, KEY).toBuilder());
    step(first, dependency(first, "llm:2").toBuilder());
    complete(first, "done");
    Task source = core.task(task.getId());
    var large = override().setValue(ByteString.copyFromUtf8('"' + "x".repeat(600 << 10) + '"'));

    assertTooLarge(source, with(KEY, large).putOverride("llm:2", large.build()));
    assertThat(replay(source, with(KEY, large)).getReplay().getOverrideKeysList()).hasSize(1);
  }

  private void assertTooLarge(Task source, ReplayTaskRequest.Builder request) {
    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, "override", () -> replay(source, request));
  }
}
