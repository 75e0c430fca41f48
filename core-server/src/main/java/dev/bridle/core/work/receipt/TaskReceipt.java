package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.RunningSha256;
import dev.bridle.core.work.task.FailureCodes;
import dev.bridle.core.work.task.TaskCounts;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.record.v1.ImportedLog;
import dev.bridle.record.v1.SubmittedPersona;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactList;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.record.v1.TaskTotals;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Builds the receipt of an ended task (protocol section "Receipt"): a pure function of its records.
 * Everything but the members of issuer, time and chain, which {@link ReceiptIssuer} adds.
 */
final class TaskReceipt {
  /** The member of the metadata that says which events of the task a file brought. */
  static final String IMPORTED = "bridle.imported";

  private final Ended ended;
  private final TaskRecordOrBuilder record;
  private final Task task;
  private final Doubts doubts = new Doubts();
  private final ObjectNode receipt = JsonNodeFactory.instance.objectNode();

  private TaskReceipt(Ended ended) {
    this.ended = ended;
    this.record = ended.task();
    this.task = ended.task().getTask();
  }

  /** Returns the receipt of a task. */
  static ObjectNode of(Ended ended) {
    return new TaskReceipt(ended).build();
  }

  private ObjectNode build() {
    receipt.putObject("subject").put("object", "task").put("id", task.getId());
    receipt.set("identifiers", identifiers());
    receipt.set("lifecycle", lifecycle());
    receipt.set("approvals", list(TaskFactKind.TASK_FACT_KIND_APPROVAL, "/approvals"));
    receipt.set("trust", trust());
    receipt.set("autonomy_budget", budget());
    ReplayMembers replay = new ReplayMembers(ended, doubts);
    receipt.set("replay_input", replay.replayInput());
    ModelMembers models = new ModelMembers(ended, doubts);
    receipt.set("model_route", models.route());
    receipt.set("cost", models.cost());
    receipt.set("side_effects", sideEffects());
    receipt.set("final_artifacts", artifacts());
    receipt.putArray("deltas");
    receipt.set("redactions", doubts.redactions());
    receipt.set("metadata", metadata(replay));
    return receipt;
  }

  private ObjectNode identifiers() {
    ObjectNode ids =
        node()
            .put("tenant_id", ended.tenant())
            .put("workspace_ref", task.getWorkspaceId())
            .put("session_id", task.getSessionId())
            .put("task_id", task.getId());
    if (task.hasPersonaId()) {
      ids.put("persona_ref", persona());
    }
    if (task.hasBranchId()) {
      ids.put("branch_id", task.getBranchId());
    }
    if (record.getTraceId().isEmpty()) {
      doubts.notReported("/identifiers/trace_id");
    } else {
      ids.put("trace_id", record.getTraceId());
    }
    return ids;
  }

  /** Returns the persona with the version that it had at the submission. */
  private String persona() {
    String version = record.getPersona().getVersion();
    if (version.isEmpty()) {
      doubts.notReported("/identifiers/persona_ref");
      return task.getPersonaId();
    }
    return task.getPersonaId() + '@' + version;
  }

  private ObjectNode lifecycle() {
    Timestamp end =
        task.getStatus() == TaskStatus.TASK_STATUS_CANCELED
            ? task.getCanceledAt()
            : task.getCompletedAt();
    ObjectNode lifecycle =
        node()
            .put("created_at", time(task.getCreatedAt()))
            .put("started_at", time(task.hasStartedAt() ? task.getStartedAt() : end))
            .put("completed_at", time(end))
            .put("final_state", finalState(task.getStatus()));
    if (task.hasFailure()) {
      ObjectNode failure = lifecycle.putObject("failure").put("code", failureCode());
      if (!ended.terminal().isEmpty()) {
        failure.put("commitment", Commitment.spell(ended.terminal()));
      }
    } else {
      lifecycle.putNull("failure");
    }
    return lifecycle;
  }

  static String finalState(TaskStatus status) {
    return switch (status) {
      case TASK_STATUS_COMPLETED -> "SUCCEEDED";
      case TASK_STATUS_FAILED -> "FAILED";
      default -> "CANCELED";
    };
  }

  /** A code is a short name; anything else that an agent reports stays in the event. */
  private String failureCode() {
    String code = task.getFailure().getCode();
    if (FailureCodes.isName(code)) {
      return code;
    }
    doubts.redacted("/lifecycle/failure/code", ended.terminal());
    return Doubts.REDACTED;
  }

  /** The tiers are those that were enforced; tasks without a persona act with approval. */
  private ObjectNode trust() {
    SubmittedPersona persona = record.getPersona();
    AutonomyTier start =
        record.hasPersona()
            ? persona.getAutonomyTier()
            : AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL;
    AutonomyTier end =
        record.getRuledTier() == AutonomyTier.AUTONOMY_TIER_UNSPECIFIED
            ? start
            : record.getRuledTier();
    ObjectNode trust = node().put("start_tier", spell(start)).put("end_tier", spell(end));
    if (record.hasPersona()) {
      trust.put("policy_ref", persona());
    } else if (task.hasPersonaId()) {
      doubts.notReported("/trust/start_tier");
    }
    return trust;
  }

  private ObjectNode budget() {
    TaskUsage usage = record.getUsage();
    if (ended.computesAnew()) {
      doubts.notReported("/autonomy_budget");
    }
    ObjectNode budget = node();
    ObjectNode consumed =
        budget
            .putObject("consumed")
            .put("tool_calls", usage.getToolCalls())
            .put("wall_time_ms", usage.getRunningMillis());
    boolean apart = usage.getTokens() <= usage.getInputTokens() + usage.getOutputTokens();
    if (apart) {
      consumed.put("input_tokens", usage.getInputTokens());
      consumed.put("output_tokens", usage.getOutputTokens());
    }
    if (!apart || usage.getTokens() == TaskCounts.MAX_SUM) {
      doubts.notReported("/autonomy_budget/consumed/input_tokens");
      doubts.notReported("/autonomy_budget/consumed/output_tokens");
    }
    if (usage.getCurrency().equals("USD")) {
      consumed.put("usd", ModelMembers.amount(usage.getPricedMicros()));
    }
    return budget;
  }

  private ObjectNode sideEffects() {
    ObjectNode effects = node();
    boolean declared =
        record.getHandler().getReportsSideEffects()
            && record.getFactsKept()
            && !ended.computesAnew();
    effects.set("fs_writes", effect(TaskFactKind.TASK_FACT_KIND_FILE_WRITE, "fs_writes", declared));
    effects.set(
        "network_egress",
        effect(TaskFactKind.TASK_FACT_KIND_NETWORK_EGRESS, "network_egress", declared));
    effects.set(
        "tool_calls", effect(TaskFactKind.TASK_FACT_KIND_TOOL_CALL, "tool_calls", declared));
    effects.set(
        "a2a_handoffs", effect(TaskFactKind.TASK_FACT_KIND_HANDOFF, "a2a_handoffs", declared));
    return effects;
  }

  private ArrayNode effect(TaskFactKind kind, String member, boolean declared) {
    String pointer = "/side_effects/" + member;
    if (!declared || !ended.hasAll(kind)) {
      doubts.notReported(pointer);
    }
    return Fragments.all(ended.facts(kind), pointer, doubts);
  }

  private ArrayNode list(TaskFactKind kind, String pointer) {
    if (!record.getFactsKept() || !ended.hasAll(kind)) {
      doubts.notReported(pointer);
    }
    return Fragments.all(ended.facts(kind), pointer, doubts);
  }

  /** Returns the artifacts that the outcome names, or else all of the task. */
  private ArrayNode artifacts() {
    List<TaskFactRecord> all = ended.facts(TaskFactKind.TASK_FACT_KIND_ARTIFACT);
    if (!record.getFactsKept() || !ended.hasAll(TaskFactKind.TASK_FACT_KIND_ARTIFACT)) {
      doubts.notReported("/final_artifacts");
    }
    Set<String> named = new HashSet<>(ended.outcome().getArtifactIdsList());
    List<TaskFactRecord> chosen =
        all.stream().filter(fact -> named.contains(fact.getKey())).toList();
    return Fragments.all(chosen.isEmpty() ? all : chosen, "/final_artifacts", doubts);
  }

  private ObjectNode metadata(ReplayMembers replay) {
    ObjectNode metadata = node().put("bridle.attempts", record.getAttempt());
    metadata.put("bridle.outcome_id", ended.outcome().getOutcome().getId());
    if (record.getTask().hasReplay()) {
      metadata.set(ReplayMembers.REPLAY, ReplayMembers.replay(record.getTask().getReplay()));
    }
    metadata
        .putObject("bridle.log")
        .put("events", record.getNextSequence())
        .put("sha256", replay.digest());
    TaskTotals totals = record.getTotals();
    metadata
        .putObject("bridle.totals")
        .put("events", record.getNextSequence())
        .put("messages", totals.getMessages())
        .put("artifacts", totals.getArtifacts())
        .put("dependencies", totals.getDependencies());
    if (record.hasHandler()) {
      metadata.set("bridle.handler", handler(record.getHandler()));
    }
    ObjectNode lists = node();
    record.getFactListsList().forEach(list -> lists.set(name(list.getKind()), length(list)));
    if (!lists.isEmpty()) {
      metadata.set("bridle.lists", lists);
    }
    if (record.getActedDifferentlyCount() > 0) {
      ArrayNode different = metadata.putArray("bridle.acted_differently");
      record.getActedDifferentlyList().forEach(different::add);
    }
    if (record.hasImported()) {
      metadata.set(IMPORTED, imported(record.getImported()));
    }
    metadata.set("bridle.not_reported", doubts.notReported());
    return metadata;
  }

  /** Returns what a file brought of a task's log. */
  static ObjectNode imported(ImportedLog log) {
    ObjectNode said =
        node().put("installation", log.getInstallation()).put("events", log.getEvents());
    return log.getUnverified() ? said.put("verified", false) : said;
  }

  private static ObjectNode handler(HandlerInfo info) {
    ObjectNode handler = node().put("name", info.getName());
    if (!info.getVersion().isEmpty()) {
      handler.put("version", info.getVersion());
    }
    if (!info.getBuildDigest().isEmpty()) {
      handler.put("build_digest", info.getBuildDigest());
    }
    boolean recorded = info.getDeterminism() == HandlerDeterminism.HANDLER_DETERMINISM_RECORDED;
    return handler
        .put("determinism", recorded ? "recorded" : "partial")
        .put("reports_side_effects", info.getReportsSideEffects());
  }

  private static ObjectNode length(TaskFactList list) {
    ObjectNode length = node().put("count", list.getCount()).put("listed", list.getListed());
    if (!list.getDigestState().isEmpty()) {
      length.put(
          "sha256",
          Commitment.spell(ByteString.copyFrom(RunningSha256.finish(list.getDigestState()))));
    }
    return length;
  }

  private static String name(TaskFactKind kind) {
    return kind.name().substring("TASK_FACT_KIND_".length()).toLowerCase(Locale.ROOT);
  }

  private static String spell(AutonomyTier tier) {
    return tier.name().substring("AUTONOMY_TIER_".length()).toLowerCase(Locale.ROOT);
  }

  private static String time(Timestamp at) {
    return Instant.ofEpochMilli(Timestamps.toMillis(at)).toString();
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
