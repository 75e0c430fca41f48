package dev.bridle.core.work.report;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AgentHandoff;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.CalledModel;
import dev.bridle.worker.v1.CommandRun;
import dev.bridle.worker.v1.FileOperation;
import dev.bridle.worker.v1.FileWrite;
import dev.bridle.worker.v1.HandoffStatus;
import dev.bridle.worker.v1.ModelCallReport;
import dev.bridle.worker.v1.NetworkEgress;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.SideEffectReport;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.ToolCall;
import dev.bridle.worker.v1.UsageReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Model calls and side effects, as workers report them. */
class TypedReportsTest extends LeasedTasks {
  private static final String HASH = "sha256:" + "0a".repeat(32);
  private static final long MOST = 1_000_000_000_000_000L;

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void aModelCallIsOneEventWithAllOfIt() {
    TaskLease lease = lease();
    ModelCallReport call =
        call(10, 5, 250, "USD")
            .setRouteReason("cheapest")
            .addAlternatives(model("other").setVersion("3").setReason("too slow"))
            .build();

    assertThat(report(lease, "m", call).getApplied()).isTrue();
    assertThat(report(lease, "m", call).getApplied()).isFalse();

    assertThat(payloads(lease, "vendor.bridle.model_called"))
        .containsExactly(
            "{\"alternatives\":[{\"model\":\"other\",\"provider\":\"acme\",\"reason\":\"too slow\","
                + "\"version\":\"3\"}],\"cost_micros\":250,\"currency\":\"USD\",\"input_tokens\":10,"
                + "\"model\":\"large\",\"output_tokens\":5,\"provider\":\"acme\","
                + "\"route_reason\":\"cheapest\"}");
    assertThat(usage(lease))
        .isEqualTo(
            TaskUsage.newBuilder()
                .setTokens(15)
                .setInputTokens(10)
                .setOutputTokens(5)
                .setCostMicros(250)
                .setCurrency("USD")
                .setPricedMicros(250)
                .build());
  }

  @Test
  void inputAndOutputTokensAreKeptApartInAllReports() {
    TaskLease lease = lease();
    report(lease, "m", call(10, 5, 0, "").build());
    var unused =
        core.workers()
            .reportStep(
                WorkerRequests.step(lease, "u")
                    .setUsage(
                        UsageReport.newBuilder()
                            .setInputTokens(1)
                            .setOutputTokens(2)
                            .setCostMicros(7))
                    .build());
    assertThat(usage(lease))
        .isEqualTo(
            TaskUsage.newBuilder()
                .setTokens(18)
                .setInputTokens(11)
                .setOutputTokens(7)
                .setCostMicros(7)
                .build());
  }

  @Test
  void theFirstPricedCallFixesTheCurrency() {
    TaskLease lease = lease();
    report(lease, "free", call(1, 1, 0, "EUR").build());
    report(lease, "first", call(1, 1, 3, "USD").build());
    refused(lease, "model_call.currency", call(1, 1, 3, "EUR").build());
    refused(lease, "model_call.currency", call(1, 1, 3, "").build());
    refused(lease, "model_call.currency", call(1, 1, 3, "usd").build());
    report(lease, "free again", call(1, 1, 0, "EUR").build());
    report(lease, "second", call(1, 1, 4, "USD").build());
    assertThat(usage(lease).getCurrency()).isEqualTo("USD");
    assertThat(usage(lease).getPricedMicros()).isEqualTo(7);
  }

  @Test
  void theCurrencyHoldsWithinOneCallToo() {
    TaskLease lease = lease();
    StepReport first =
        StepReport.newBuilder().setStepKey("a").setModelCall(call(1, 1, 3, "USD")).build();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "model_call.currency",
        () ->
            core.workers()
                .reportStep(
                    WorkerRequests.step(lease, "b")
                        .addEarlierReports(first)
                        .setModelCall(call(1, 1, 3, "EUR"))
                        .build()));
    assertThat(usage(lease)).isEqualTo(TaskUsage.getDefaultInstance());
  }

  @Test
  void theSumOfPricesStaysAtItsMostAndSaysSo() {
    TaskLease lease = lease();
    report(lease, "a", call(0, 0, MOST, "USD").build());
    assertThat(usage(lease).getPricedMicrosSaturated()).isFalse();
    report(lease, "b", call(0, 0, 1, "USD").build());
    report(lease, "c", call(0, 0, MOST, "USD").build());
    assertThat(usage(lease).getPricedMicros()).isEqualTo(MOST);
    assertThat(usage(lease).getPricedMicrosSaturated()).isTrue();
  }

  @Test
  void modelCallsCountToQuotas() {
    var unused =
        QuotaServiceGrpc.newBlockingStub(core.owner())
            .createQuota(
                CreateQuotaRequest.newBuilder()
                    .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                    .putLimits("tokens", 20)
                    .setHardLimit(true)
                    .build());
    TaskLease lease = lease();
    report(lease, "a", call(10, 10, 0, "").build());
    report(lease, "b", call(1, 0, 0, "").build());
    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(core.task(lease.getTask().getId()).getFailure().getCode())
        .isEqualTo("quota_exceeded");
  }

  @Test
  void eachKindOfSideEffectIsAnEventOfItsOwn() {
    TaskLease lease = lease();
    report(
        lease,
        "f",
        effect()
            .setFileWrite(
                FileWrite.newBuilder()
                    .setPath("src/a.txt")
                    .setOperation(FileOperation.FILE_OPERATION_MODIFY)
                    .setBeforeSha256(HASH)));
    report(
        lease,
        "c",
        effect()
            .setCommand(
                CommandRun.newBuilder()
                    .setCommand("make test")
                    .setStatus(CallStatus.CALL_STATUS_FAILED)
                    .setExitCode(2)));
    report(
        lease,
        "n",
        effect()
            .setNetworkEgress(
                NetworkEgress.newBuilder()
                    .setDestination("example.org")
                    .setPurpose("upload")
                    .setBytesSent(0)));
    report(
        lease,
        "h",
        effect()
            .setHandoff(
                AgentHandoff.newBuilder()
                    .setTargetAgent("writer")
                    .setTaskId("t1")
                    .setStatus(HandoffStatus.HANDOFF_STATUS_ACCEPTED)));
    report(lease, "t", effect().setToolCall(tool().setOutputHash(HASH).setMetadata(json("{}"))));

    assertThat(payloads(lease, "vendor.bridle.file_written"))
        .containsExactly(
            "{\"before_sha256\":\"" + HASH + "\",\"operation\":\"modify\",\"path\":\"src/a.txt\"}");
    assertThat(payloads(lease, "vendor.bridle.command_run"))
        .containsExactly("{\"command\":\"make test\",\"exit_code\":2,\"status\":\"failed\"}");
    assertThat(payloads(lease, "vendor.bridle.network_egress"))
        .containsExactly(
            "{\"bytes_sent\":0,\"destination\":\"example.org\",\"purpose\":\"upload\"}");
    assertThat(payloads(lease, "vendor.bridle.handed_off"))
        .containsExactly(
            "{\"status\":\"accepted\",\"target_agent\":\"writer\",\"task_id\":\"t1\"}");
    assertThat(payloads(lease, "vendor.bridle.tool_called"))
        .containsExactly(
            "{\"call_id\":\"c1\",\"metadata\":{},\"output_hash\":\""
                + HASH
                + "\",\"status\":\"succeeded\",\"tool\":\"grep\"}");
    assertThat(usage(lease)).isEqualTo(TaskUsage.getDefaultInstance());
  }

  @Test
  void whatAReceiptCouldNotHoldIsRejectedAtOnce() {
    TaskLease lease = lease();
    refusedTool(lease, "side_effect.tool_call.tool", tool().clearTool());
    refusedTool(lease, "side_effect.tool_call.call_id", tool().clearCallId());
    refusedTool(lease, "side_effect.tool_call.status", tool().clearStatus());
    refusedTool(lease, "side_effect.tool_call.input_hash", tool().setInputHash("sha256:0A"));
    for (String metadata :
        new String[] {
          "{\"n\":1e400}",
          "{\"n\":9007199254740993}",
          "{\"t\":\"\\ud800\"}",
          "{\"n\":01}",
          "{\"a\":1,\"a\":2}",
          "[]",
          "[".repeat(17),
          "{\"a\":" + "[".repeat(16) + "]".repeat(16) + "}",
          "{\"t\":\"" + "x".repeat(4096) + "\"}"
        }) {
      refusedTool(lease, "side_effect.tool_call.metadata", tool().setMetadata(json(metadata)));
    }
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "side_effect.file_write.operation",
        () -> report(lease, "x", effect().setFileWrite(FileWrite.newBuilder().setPath("a"))));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "model_call.model.provider",
        () ->
            report(
                lease,
                "x",
                ModelCallReport.newBuilder()
                    .setModel(CalledModel.newBuilder().setModel("m"))
                    .build()));
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsExactly("task.submitted", "task.started");
  }

  @Test
  void anEarlierReportThatIsRejectedIsNamedByItsIndex() {
    TaskLease lease = lease();
    StepReport bad =
        StepReport.newBuilder()
            .setStepKey("t")
            .setSideEffect(effect().setToolCall(tool().setMetadata(json("{\"n\":1e400}"))))
            .build();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "earlier_reports[0].side_effect.tool_call.metadata",
        () ->
            core.workers()
                .reportStep(artifact(lease, "own").toBuilder().addEarlierReports(bad).build()));
  }

  private TaskLease lease() {
    worker.want(1);
    var unused = core.submit(session);
    return worker.lease();
  }

  private static CalledModel.Builder model(String name) {
    return CalledModel.newBuilder().setProvider("acme").setModel(name);
  }

  private static ModelCallReport.Builder call(long in, long out, long micros, String currency) {
    return ModelCallReport.newBuilder()
        .setModel(model("large"))
        .setInputTokens(in)
        .setOutputTokens(out)
        .setCostMicros(micros)
        .setCurrency(currency);
  }

  private static SideEffectReport.Builder effect() {
    return SideEffectReport.newBuilder();
  }

  private static ToolCall.Builder tool() {
    return ToolCall.newBuilder()
        .setTool("grep")
        .setCallId("c1")
        .setStatus(CallStatus.CALL_STATUS_SUCCEEDED);
  }

  private static ByteString json(String json) {
    return ByteString.copyFromUtf8(json);
  }

  private ReportStepResponse report(TaskLease lease, String key, ModelCallReport call) {
    return core.workers().reportStep(WorkerRequests.step(lease, key).setModelCall(call).build());
  }

  private ReportStepResponse report(TaskLease lease, String key, SideEffectReport.Builder effect) {
    return core.workers().reportStep(WorkerRequests.step(lease, key).setSideEffect(effect).build());
  }

  private void refused(TaskLease lease, String param, ModelCallReport call) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> report(lease, "refused", call));
  }

  private void refusedTool(TaskLease lease, String param, ToolCall.Builder call) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        param,
        () -> report(lease, "refused", effect().setToolCall(call)));
  }

  private TaskUsage usage(TaskLease lease) {
    return core.record(lease.getTask().getId()).getUsage().toBuilder().clearRunningMillis().build();
  }

  private List<String> payloads(TaskLease lease, String kind) {
    return core.eventsOf(lease.getTask().getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .map(Event::getPayload)
        .map(ByteString::toStringUtf8)
        .toList();
  }
}
