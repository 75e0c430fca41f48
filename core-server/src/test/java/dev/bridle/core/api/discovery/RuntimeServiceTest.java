package dev.bridle.core.api.discovery;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetAgentCardRequest;
import dev.bridle.record.v1.EventRetention;
import dev.bridle.runtime.v1.Capability;
import dev.bridle.runtime.v1.GetRuntimeRequest;
import dev.bridle.runtime.v1.ListCapabilitiesRequest;
import dev.bridle.runtime.v1.RetentionWindow;
import dev.bridle.runtime.v1.RuntimeMetadata;
import dev.bridle.runtime.v1.RuntimeServiceGrpc;
import dev.bridle.tool.v1.GetToolRequest;
import dev.bridle.tool.v1.ListToolsRequest;
import dev.bridle.tool.v1.ToolServiceGrpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RuntimeServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  @Test
  void theRuntimeTheSummaryAndTheCardTellTheSameCapabilities() {
    var stub = RuntimeServiceGrpc.newBlockingStub(core.owner());
    RuntimeMetadata runtime = stub.getRuntime(GetRuntimeRequest.getDefaultInstance());

    assertThat(runtime.getVersion()).isEqualTo(Versions.SERVER);
    assertThat(runtime.getProtocolVersion()).isEqualTo(Versions.PROTOCOL);
    assertThat(runtime.hasSessionCount()).isFalse();
    assertThat(runtime.getCapabilitiesList()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(
            stub.listCapabilities(ListCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList())
        .isEqualTo(runtime.getCapabilitiesList());
    assertThat(
            DiscoveryServiceGrpc.newBlockingStub(core.nobody())
                .getAgentCard(
                    GetAgentCardRequest.newBuilder().setPublicUrl("http://localhost").build())
                .getCapabilitiesList())
        .isEqualTo(runtime.getCapabilitiesList().stream().map(Capability::getId).toList());
  }

  @Test
  void theCapabilityOfReplaySaysHowLongEventsAreKept() {
    assertThat(replay(EventRetention.getDefaultInstance()).getRetention())
        .isEqualTo(RetentionWindow.getDefaultInstance());
    RetentionWindow window =
        replay(EventRetention.newBuilder().setMaxAgeMillis(90_500).setMaxEvents(7).build())
            .getRetention();
    assertThat(window.getMaxAgeSeconds()).isEqualTo(90);
    assertThat(window.getMaxEvents()).isEqualTo(7);
    assertThat(Capabilities.of(false, EventRetention.getDefaultInstance()))
        .as("without receipts")
        .extracting(Capability::getId)
        .doesNotContain("replay", "receipts");
  }

  private static Capability replay(EventRetention retention) {
    return Capabilities.of(true, retention).stream()
        .filter(capability -> capability.getId().equals("replay"))
        .findAny()
        .orElseThrow();
  }

  @Test
  void bothAskForCredentials() {
    assertRefused(
        ErrorCode.ERROR_CODE_UNAUTHENTICATED,
        "",
        () ->
            RuntimeServiceGrpc.newBlockingStub(core.nobody())
                .getRuntime(GetRuntimeRequest.getDefaultInstance()));
  }

  @Test
  void thereAreNoToolsOfTheServersOwn() {
    var tools = ToolServiceGrpc.newBlockingStub(core.owner());

    assertThat(tools.listTools(ListToolsRequest.getDefaultInstance()).getDataCount()).isZero();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () -> tools.listTools(ListToolsRequest.newBuilder().setCursor("abc").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> tools.getTool(GetToolRequest.newBuilder().setToolId("none").build()));
  }
}
