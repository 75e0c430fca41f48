package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReplayedPath;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Replays whose handler computes recorded values anew. */
class RefreshedReplayTest extends OverriddenTasks {
  @Test
  void aRefreshedValueIsNotAnsweredFromTheRecordAndTakesItsPlaceOnce() {
    Task source = completed();
    Task replay = replay(source, refreshing(KEY));
    assertThat(replay.getReplay().getRefreshKeysList()).containsExactly(KEY);
    assertThat(replay.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_WITH_OVERRIDES);
    assertThat(replay.getSessionId()).isNotEqualTo(source.getSessionId());
    TaskLease lease = lease(replays, replay);
    assertThat(list(lease).getReplayed(0).getRefreshed()).isTrue();
    assertThat(list(lease).getReplayed(0).getReplayable())
        .as("for a worker that does not know of it")
        .isFalse();

    CompareStepsResponse compared = compare(lease, value(KEY, "{\"b\" : 2.0}"));

    assertThat(compared.getRecorded(0).getValue().toStringUtf8()).isEqualTo("{\"b\" : 2.0}");
    assertThat(list(lease).getReplayed(0).getOverridden()).as("for the next run").isTrue();
    assertThat(list(lease).getReplayed(0).getReplayable()).isTrue();
    assertThat(list(lease).getSteps(0).getValue().toStringUtf8()).isEqualTo("{\"b\" : 2.0}");
    assertThat(compare(lease, value(KEY, "{\"b\" : 2.0}")).getRecordedCount()).isEqualTo(1);
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> compare(lease, value(KEY, "{\"b\" : 3}")));
    took(lease, ReplayedPath.newBuilder().addUsed(KEY));
    complete(lease, "done");
    Task ended = ended(replay);
    assertThat(ended.getStatus()).isEqualTo(source.getStatus());
    assertThat(payloads(ended, "replay.event_replayed"))
        .singleElement()
        .satisfies(
            payload ->
                assertThat(payload)
                    .contains(
                        "\"change\":\"refreshed\"",
                        "\"kind\":\"llm_provider_response\"",
                        "before_sha256",
                        "after_sha256")
                    .as("nobody has chosen the value, so its hash could say what it is")
                    .doesNotContain(
                        Sha256.of("{\"b\":2}".getBytes(StandardCharsets.UTF_8)).toString()));
    assertThat(receipt(ended))
        .contains("\"determinism\":\"best_effort\"", "\"/cost\"", "\"/autonomy_budget\"")
        .contains("\"/model_route\"", "\"/side_effects/network_egress\"")
        .doesNotContain("no model was called");

    Task again = replay(ended);

    assertThat(again.getReplay().getOverrideKeysList())
        .as("the replay of such a replay has its value")
        .containsExactly(KEY);
    assertThat(again.getReplay().getRefreshKeysList()).isEmpty();
    TaskLease second = lease(replays, again);
    assertThat(list(second).getReplayed(0).getOverridden()).isTrue();
    assertThat(list(second).getSteps(0).getValue().toStringUtf8()).isEqualTo("{\"b\" : 2.0}");
    took(second, ReplayedPath.newBuilder().addUsed(KEY));
    complete(second, "done");
    assertThat(payloads(ended(again), "replay.event_replayed"))
        .singleElement()
        .asString()
        .contains("\"change\":\"overridden\"");
    assertThat(receipt(core.task(again.getId()))).contains("no model was called");
  }

  @Test
  void theReplayOfOneThatHasComputedNothingIsAnExactOne() {
    Task source = completed();
    Task replay = replay(source, refreshing(KEY));
    TaskLease lease = lease(replays, replay);
    took(lease, ReplayedPath.newBuilder().addNotTaken(KEY));
    complete(lease, "done");

    Task again = replay(ended(replay));

    assertThat(again.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_EXACT);
    assertThat(again.getSessionId()).isEqualTo(replay.getSessionId());
    assertThat(again.getReplay().getOverrideKeysList()).isEmpty();
  }

  @Test
  void nothingIsAllowedByWhatWasAllowedOnce() {
    var task = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, KEY).toBuilder());
    var asked = ask(first, "act", "ls");
    assertThat(asked.getRequestId()).isNotEmpty();
    var answered =
        PermissionServiceGrpc.newBlockingStub(core.owner())
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(asked.getRequestId())
                    .setApproved(true)
                    .build());
    assertThat(answered.getStatus().name()).endsWith("APPROVED");
    TaskLease second = lease(writer);
    assertThat(ask(second, "act", "ls").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    complete(second, "done");
    Task source = core.task(task.getId());

    TaskLease exact = lease(replays, replay(source));
    assertThat(ask(exact, "act", "ls").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    complete(exact, "done");
    TaskLease lease = lease(replays, replay(source, refreshing(KEY)));

    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> ask(lease, "act", "ls"));
  }

  @Test
  void theRedactionOfItsEventErasesAComputedValue() {
    String marker = "computed-marker-1";
    Task source = completed();
    Task replay = replay(source, refreshing(KEY));
    TaskLease lease = lease(replays, replay);
    assertThat(compare(lease, value(KEY, "\"" + marker + "\"")).getRecordedCount()).isEqualTo(1);
    took(lease, ReplayedPath.newBuilder().addUsed(KEY));
    complete(lease, "done");
    Task ended = ended(replay);
    assertThat(StoredBytes.with(core.store(), marker)).isNotEmpty();

    redact(
        RedactedObject.REDACTED_OBJECT_EVENT,
        events(ended, "replay.event_replayed").get(0).getId());

    assertThat(StoredBytes.with(core.store(), marker)).isEmpty();
  }

  @Test
  void theRecordedValueComputedAgainIsRecordedToo() {
    Task source = completed();
    TaskLease lease = lease(replays, replay(source, refreshing(KEY)));
    String recorded = list(lease).getSteps(0).getValue().toStringUtf8();

    assertThat(compare(lease, value(KEY, recorded)).getRecordedCount()).isEqualTo(1);
  }

  @Test
  void noOtherValueIsComputed() {
    Task source = completed();
    TaskLease lease = lease(replays, replay(source, refreshing(KEY)));

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "report", () -> compare(lease, value("llm:2", "1")));
    TaskLease overridden = lease(replays, overridden(source));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "report",
        () -> compare(overridden, value("llm:2", "1")));
    assertRefused(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "",
        () -> compare(lease, value(KEY, "\"" + "x".repeat(100 << 10) + "\"")));
  }

  @Test
  void whatIsNoValueToRefreshIsRefusedByItsName() {
    Task source = completed();

    for (String key : new String[] {"note", "said", "llm:2", "replay:path"}) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST, "refresh", () -> replay(source, refreshing(key)));
    }
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "refresh",
        () -> replay(source, with(KEY, override()).addRefresh(KEY)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "refresh",
        () -> replay(source, refreshing(KEY).setMode(ReplayMode.REPLAY_MODE_EXACT)));
  }

  @Test
  void whatIsWithinAComputationIsNotNamedBesideIt() {
    Task task = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, "mcp:in").toBuilder().setParentStepKey(KEY));
    step(first, dependency(first, KEY).toBuilder());
    complete(first, "done");
    Task source = core.task(task.getId());

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "refresh",
        () -> replay(source, refreshing(KEY).addRefresh("mcp:in")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "refresh",
        () ->
            replay(
                source,
                refreshing(KEY)
                    .putOverride(
                        "mcp:in",
                        override()
                            .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_MCP_TOOL_RETURN)
                            .build())));
    assertThat(replay(source, refreshing("mcp:in")).getReplay().getRefreshKeysList())
        .containsExactly("mcp:in");
  }

  private String receipt(Task task) {
    return ReceiptServiceGrpc.newBlockingStub(core.owner())
        .getReceipt(GetReceiptRequest.newBuilder().setReceiptId(task.getReceiptId()).build())
        .getWire()
        .getPayload()
        .toStringUtf8();
  }

  private static ReplayTaskRequest.Builder refreshing(String key) {
    return ReplayTaskRequest.newBuilder()
        .setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)
        .addRefresh(key);
  }

  private static StepReport value(String key, String json) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setDependency(
            DependencyReport.newBuilder()
                .setKind(DependencyKind.DEPENDENCY_KIND_LLM)
                .setValue(ByteString.copyFromUtf8(json)))
        .build();
  }
}
