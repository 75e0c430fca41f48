package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.outcome.v1.GetOutcomeRequest;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UsageReport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replays that replace recorded values, and what they record themselves. */
final class OverriddenReplayTest extends OverriddenTasks {
  @Test
  void theWorkerGetsTheValueThatReplacesTheRecordedOne() {
    Task source = completed();
    Task replay = overridden(source);
    assertThat(replay.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_WITH_OVERRIDES);
    assertThat(replay.getReplay().getDepth()).isEqualTo(ReplayDepth.REPLAY_DEPTH_EXECUTE);
    assertThat(replay.getReplay().getOverrideKeysList()).containsExactly(KEY);
    assertThat(replay.getSessionId()).isNotEqualTo(source.getSessionId());
    assertThat(replay.hasBranchId()).isTrue();

    TaskLease lease = lease(replays, replay);

    assertThat(lease.getReplay().getOverrides()).isTrue();
    assertThat(list(lease).getSteps(0).getValue().toStringUtf8()).isEqualTo("{\"b\" : 2.0}");
    assertThat(list(lease).getReplayedList())
        .extracting(ReplayedStep::getOverridden)
        .containsExactly(true, false, false);
  }

  @Test
  void whatIsReportedOtherwiseIsRecordedForTheReplayOnceAndTheRestIsNot() {
    Task source = completed();
    Task replay = overridden(source);
    TaskLease lease = lease(replays, replay);
    StepReport[] reports = {
      note("note", "1"), said("said", "good bye"), said("more", "really"), usage("used")
    };

    CompareStepsResponse first = compare(lease, reports);

    assertThat(first.getDifferentList()).containsExactly(1, 2, 3);
    assertThat(first.getRecordedList())
        .extracting(RecordedStep::getStepKey)
        .containsExactly("said", "more", "used");
    assertThat(compare(lease, reports)).as("again, by a later run").isEqualTo(first);
    assertThat(events(replay, EventKinds.AGENT_MESSAGE)).hasSize(2);
    assertThat(events(replay, EventKinds.USAGE_RECORDED)).as("nothing is counted").isEmpty();
    List<Event> changes = events(replay, EventKinds.REPLAY_EVENT_REPLAYED);
    assertThat(changes)
        .extracting(event -> event.getPayload().toStringUtf8())
        .containsExactly(
            "{\"change\":\"changed\",\"step_key\":\"said\",\"report\":\"message\"}",
            "{\"change\":\"added\",\"step_key\":\"more\",\"report\":\"message\"}",
            "{\"change\":\"added\",\"step_key\":\"used\",\"report\":\"usage\"}");
    assertThat(changes.get(0).getReplay().getOriginalEventId())
        .isEqualTo(
            events(source, EventKinds.AGENT_MESSAGE).stream()
                .reduce((one, next) -> next)
                .orElseThrow()
                .getId());
    assertThat(changes.get(1).getReplay().hasOriginalEventId()).isFalse();
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> compare(lease, said("said", "something else")));
  }

  private static StepReport usage(String key) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setUsage(UsageReport.newBuilder().setModel("m").setInputTokens(1000))
        .build();
  }

  @Test
  void aReplayEndsAsItsHandlerDidAndSaysWhatWasReplaced() {
    Task source = completed();
    Task replay = overridden(source);
    TaskLease lease = lease(replays, replay);
    Artifact made =
        compare(
                lease,
                StepReport.newBuilder()
                    .setStepKey("file")
                    .setArtifact(WorkerRequests.artifact())
                    .build())
            .getRecorded(0)
            .getArtifact();
    took(
        lease,
        ReplayedPath.newBuilder()
            .addUsed(KEY)
            .addAdded("file")
            .addNotTaken("said")
            .addArtifactIds(made.getId())
            .setDifferences(2));

    complete(lease, "changed");

    Event used = events(replay, EventKinds.REPLAY_EVENT_REPLAYED).get(1);
    assertThat(used.getReplay().getOverrideKey()).isEqualTo(KEY);
    assertThat(used.getReplay().getOriginalEventId())
        .isEqualTo(events(source, EventKinds.DEPENDENCY_RECORDED).get(0).getId());
    assertThat(used.getPayload().toStringUtf8())
        .contains("\"change\":\"overridden\"", "\"reason\":\"try it\"")
        .contains(
            "\"after_sha256\":\"" + Sha256.of("{\"b\":2}".getBytes(StandardCharsets.UTF_8)) + "\"")
        .doesNotContain("2.0");
    assertThat(events(replay, EventKinds.REPLAY_EVENT_REPLAYED).get(2).getPayload().toStringUtf8())
        .isEqualTo("{\"change\":\"not_taken\",\"step_key\":\"said\"}");
    assertThat(core.task(replay.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    Task ended = ended(replay);
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    Outcome outcome =
        OutcomeServiceGrpc.newBlockingStub(core.owner())
            .getOutcome(GetOutcomeRequest.newBuilder().setOutcomeId(ended.getOutcomeId()).build());
    assertThat(outcome.getSummary()).isEqualTo("changed");
  }

  @Test
  void aHandlerThatFailsNowFailsTheReplayWithItsOwnCode() {
    Task replay = overridden(completed());
    TaskLease lease = lease(replays, replay);
    took(lease, ReplayedPath.newBuilder().addUsed(KEY));

    var unused = failed(lease, "no_money", "The card was declined.");

    Task ended = ended(replay);
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(ended.getFailure().getCode()).isEqualTo("no_money");
    assertThat(ended.getFailure().getMessage()).isEqualTo("The card was declined.");
  }

  @Test
  void aRunHasToSayItsPathAndOnlyOfWhatIsReplaced() {
    TaskLease lease = lease(replays, overridden(completed()));

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "task_id", () -> complete(lease, "changed"));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "path.used",
        () -> took(lease, ReplayedPath.newBuilder().addUsed("note")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "report",
        () ->
            compare(
                lease,
                StepReport.newBuilder()
                    .setStepKey("llm:2")
                    .setDependency(
                        DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("1")))
                    .build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "step_key",
        () -> compare(lease, said("replay:end", "completed")));
  }

  @Test
  void aReplayOfSuchAReplayReplacesTheSameAndMore() {
    Task source = completed();
    Task replay = overridden(source);
    TaskLease lease = lease(replays, replay);
    took(lease, ReplayedPath.newBuilder().addUsed(KEY));
    complete(lease, "changed");
    Task first = ended(replay);

    Task again =
        replay(first, ReplayTaskRequest.newBuilder().setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE));

    assertThat(again.getReplay().getOriginTaskId()).isEqualTo(source.getId());
    assertThat(again.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_WITH_OVERRIDES);
    assertThat(list(lease(replays, again)).getSteps(0).getValue().toStringUtf8())
        .isEqualTo("{\"b\" : 2.0}");
    Task other =
        replay(first, with(KEY, override().setValue(ByteString.copyFromUtf8("\"later\""))));
    assertThat(other.getReplay().getOverrideKeysList()).containsExactly(KEY);
    Task log = replay(first, ReplayTaskRequest.newBuilder());
    assertThat(log.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_EXACT);
  }

  @Test
  void aLaterRunHasToTakeTheSamePath() {
    TaskLease lease = lease(replays, overridden(completed()));
    var path = ReplayedPath.newBuilder().addUsed(KEY).addNotTaken("note").setDifferences(1);
    took(lease, path);
    took(lease, path);

    assertThat(events(lease.getTask(), EventKinds.REPLAY_EVENT_REPLAYED)).hasSize(2);
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT,
        "",
        () -> took(lease, path.clone().addNotTaken("said").setDifferences(2)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "path.not_taken",
        () ->
            took(
                lease(replays, overridden(completed())),
                ReplayedPath.newBuilder().addNotTaken("never")));
  }

  @Test
  void redactingAReplayErasesWhatItReplacedAndSaid() {
    Task source = completed();
    String marker = "marker-7f3a";
    Task replay =
        replay(
            source,
            with(
                KEY,
                override()
                    .setReason(marker)
                    .setValue(ByteString.copyFromUtf8('"' + marker + '"'))));
    TaskLease lease = lease(replays, replay);
    assertThat(compare(lease, said("said", marker)).getDifferentList()).containsExactly(0);
    took(lease, ReplayedPath.newBuilder().addUsed(KEY).addChanged("said").setDifferences(1));
    complete(lease, marker);
    assertThat(ended(replay).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(StoredBytes.with(core.store(), marker)).isNotEmpty();

    redact(RedactedObject.REDACTED_OBJECT_TASK, replay.getId());

    assertThat(StoredBytes.with(core.store(), marker)).isEmpty();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () ->
            replay(
                core.task(replay.getId()),
                ReplayTaskRequest.newBuilder().setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)));
  }
}
