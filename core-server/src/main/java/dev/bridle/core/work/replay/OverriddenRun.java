package dev.bridle.core.work.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.FailureCodes;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.StepTold;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The run of a replay that replaces recorded values: which path it took, and how its handler ended.
 * Both are kept until the log is replayed, and the replay ends as its handler did.
 */
public final class OverriddenRun {
  private final RunSteps kept;
  private final ArtifactStore artifacts;
  private final EventLog log;
  private final Steps steps;

  /** Creates the runs of a core. */
  public OverriddenRun(CoreContext context) {
    this.steps = new Steps(new StepStore(context.layout()));
    this.kept = new RunSteps(steps);
    this.artifacts = new ArtifactStore(context.layout(), new BlobStore(context.layout()));
    this.log = context.log();
  }

  /** Returns whether a task is a replay that replaces values. */
  public static boolean is(TaskRecord record) {
    return replaces(record.getTask().getReplay());
  }

  /** Returns whether a replay replaces values. */
  static boolean replaces(TaskReplay replay) {
    return replay.getOverrideKeysCount() > 0 || replay.getRefreshKeysCount() > 0;
  }

  /**
   * Keeps the path of a run, and says by events what was used and what was not taken. What was
   * computed anew is an event already. An earlier run whose end was lost has done so; then it has
   * to be the same path, {@code conflict} else.
   */
  public void took(TaskChange change, ReplayedPath path) {
    String origin = change.task().getReplay().getOriginTaskId();
    List<AppliedOverride> used =
        path.getUsedList().stream().map(key -> applied(change, origin, key)).toList();
    ObjectNode facts = facts(change.task().getReplay(), path, used);
    Optional<ObjectNode> known = kept.find(change, RunSteps.PATH);
    if (known.isEmpty()) {
      used.stream()
          .filter(applied -> !applied.isRefreshed())
          .forEach(applied -> change.emit(applied.event()));
      path.getNotTakenList().forEach(key -> notTaken(change, origin, key));
      kept.keep(change, RunSteps.PATH, facts);
    } else if (!known.get().toString().equals(facts.toString())) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT, "An earlier run of this replay took another path.");
    }
  }

  private AppliedOverride applied(TaskChange change, String origin, String key) {
    return kept.record(change, key)
        .filter(step -> step.hasReplaced())
        .map(step -> new AppliedOverride(origin, step))
        .orElseThrow(() -> ProtocolException.invalid("path.used", "names what is not replaced"));
  }

  private static ObjectNode facts(
      TaskReplay replay, ReplayedPath path, List<AppliedOverride> used) {
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    if (replay.getRefreshKeysCount() > 0) {
      replay.getRefreshKeysList().forEach(facts.putArray("refresh")::add);
    }
    ArrayNode overrides = facts.putArray("overrides");
    used.forEach(applied -> overrides.add(applied.facts()));
    ObjectNode differences = facts.putObject("differences");
    path.getChangedList().forEach(differences.putArray("changed")::add);
    path.getAddedList().forEach(differences.putArray("added")::add);
    path.getNotTakenList().forEach(differences.putArray("not_taken")::add);
    differences.put("count", path.getDifferences());
    path.getArtifactIdsList().forEach(facts.putArray("artifact_ids")::add);
    return facts;
  }

  private void notTaken(TaskChange change, String origin, String key) {
    if (steps.findRecord(change.write().tr(), change.write().tenant(), origin, key).isEmpty()) {
      throw ProtocolException.invalid("path.not_taken", "names what is not recorded");
    }
    change.emit(
        about(change, origin, key, Payload.of().text("change", "not_taken").text("step_key", key)));
  }

  /** Returns the event about a step of the origin that the run takes otherwise. */
  public EventDraft about(TaskChange change, String origin, String key, Payload facts) {
    ReplayEventMetadata.Builder about = ReplayEventMetadata.newBuilder().setSourceTaskId(origin);
    steps
        .findRecord(change.write().tr(), change.write().tenant(), origin, key)
        .filter(record -> !record.getRequestHash().isEmpty())
        .flatMap(
            record ->
                log.taskEventId(
                    change.write().tr(), change.write().tenant(), origin, record.getSequence()))
        .ifPresent(id -> about.setOriginalEventId(id.toString()));
    return EventDraft.of(EventKinds.REPLAY_EVENT_REPLAYED, facts).replaying(about.build());
  }

  /** Returns a step of the replay itself. */
  public Optional<StepRecord> own(TaskChange change, String key) {
    return kept.record(change, key);
  }

  /** Returns whether the replay computes a value anew. */
  public static boolean isRefreshed(TaskRecord replay, String key) {
    return replay.getTask().getReplay().getRefreshKeysList().contains(key);
  }

  /**
   * Records a value that the handler has computed anew, in place of the recorded one; {@code
   * payload_too_large} above 100 KiB.
   */
  public RecordedStep refreshed(TaskChange change, StepRecord recorded, StepReport report) {
    // Earlier releases kept no number with a step.
    Optional<EventId> event =
        recorded.getCommitment().isEmpty()
            ? Optional.empty()
            : log.taskEventId(
                change.write().tr(),
                change.write().tenant(),
                change.task().getReplay().getOriginTaskId(),
                recorded.getSequence());
    StepRecord step = RefreshedValues.replacing(change, recorded, report, event);
    change.emit(new AppliedOverride(change.task().getReplay().getOriginTaskId(), step).event());
    steps.insert(change, step);
    return step.getStep();
  }

  /** Records a report that counts nothing. */
  public RecordedStep said(TaskChange change, StepReport report) {
    RecordedStep step =
        RecordedStep.newBuilder()
            .setStepKey(report.getStepKey())
            .setParentStepKey(report.getParentStepKey())
            .setTold(StepTold.getDefaultInstance())
            .build();
    steps.insert(
        change, StepRecord.newBuilder().setStep(step).setRequestHash(Reports.hash(report)).build());
    return step;
  }

  /** Keeps that the handler has completed its task. */
  public void completed(TaskChange change, TaskEndings.Result result, Optional<String> difference) {
    ObjectNode end = ended(change, "COMPLETED", difference);
    List<String> ids = new ArrayList<>(result.artifactIds());
    if (ids.isEmpty()) {
      end.path("artifact_ids").forEach(id -> ids.add(id.asText()));
    }
    end.set("artifacts", artifacts(change, ids));
    ObjectNode outcome = end.putObject("outcome").put("summary", result.summary());
    result.messageIds().forEach(outcome.putArray("message_ids")::add);
    result.artifactIds().forEach(outcome.putArray("artifact_ids")::add);
    outcome.put("cost", result.cost().toStringUtf8());
    outcome.put("metrics", result.metrics().toStringUtf8());
    kept.keep(change, RunSteps.END, end);
  }

  /** Keeps that the handler has failed its task. */
  public void failed(TaskChange change, Failure failure, Optional<String> difference) {
    ObjectNode end =
        ended(change, "FAILED", difference).put("failure_code", stated(failure.getCode()));
    List<String> ids = new ArrayList<>();
    end.path("artifact_ids").forEach(id -> ids.add(id.asText()));
    end.set("artifacts", artifacts(change, ids));
    end.putObject("failure")
        .put("code", failure.getCode())
        .put("message", failure.getMessage())
        .put("details", failure.getDetails().toStringUtf8());
    kept.keep(change, RunSteps.END, end);
  }

  /** What is no short name may be content, which receipts do not have. */
  private static String stated(String code) {
    return FailureCodes.isName(code) ? code : "redacted";
  }

  private ObjectNode ended(TaskChange change, String state, Optional<String> difference) {
    ObjectNode end =
        kept.find(change, RunSteps.PATH)
            .orElseThrow(
                () ->
                    ProtocolException.invalid(
                        "task_id",
                        "replaces values, and its worker has not said what path it took"));
    end.put("final_state", state);
    difference.ifPresent(
        what -> {
          end.withObjectProperty("differences").put("end", what);
          change.emit(
              EventDraft.of(
                  EventKinds.REPLAY_EVENT_REPLAYED,
                  Payload.of().text("change", "ended").text("report", what)));
        });
    return end;
  }

  /**
   * Describes artifacts as receipts do. The id of one that this run has made is left out, since it
   * is another one in each replay.
   */
  private ArrayNode artifacts(TaskChange change, List<String> ids) {
    ArrayNode described = JsonNodeFactory.instance.arrayNode();
    String origin = change.task().getReplay().getOriginTaskId();
    artifacts.each(
        change.write().tr(),
        change.write().tenant(),
        ids,
        artifact -> {
          boolean isOwn = artifact.getTaskId().equals(change.id());
          if (isOwn || artifact.getTaskId().equals(origin)) {
            ObjectNode part = RunSteps.parse(ArtifactStore.receiptPart(artifact, true));
            described.add(isOwn ? part.without("artifact_id") : part);
          }
        });
    return described;
  }

  /** Ends the replay as its handler has ended, once the log is replayed. */
  public void end(TaskEndings endings, TaskChange change, TaskEndings.Result logReplayed) {
    ObjectNode end =
        kept.find(change, RunSteps.END)
            .orElseThrow(() -> new IllegalStateException("a replay lacks the end of its run"));
    JsonNode outcome = end.path("outcome");
    if (outcome.isMissingNode()) {
      endings.fail(
          change,
          Failure.newBuilder()
              .setCode(end.at("/failure/code").asText())
              .setMessage(end.at("/failure/message").asText())
              .setDetails(ByteString.copyFromUtf8(end.at("/failure/details").asText()))
              .build());
      return;
    }
    List<String> named = texts(outcome.path("artifact_ids"));
    List<String> ids = named.isEmpty() ? texts(end.path("artifact_ids")) : named;
    ids.addAll(logReplayed.artifactIds());
    endings.complete(
        change,
        new TaskEndings.Result(
            outcome.path("summary").asText(),
            texts(outcome.path("message_ids")),
            ids,
            ByteString.copyFromUtf8(outcome.path("cost").asText()),
            ByteString.copyFromUtf8(outcome.path("metrics").asText())));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
