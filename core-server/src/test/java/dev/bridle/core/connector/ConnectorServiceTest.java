package dev.bridle.core.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.connector.v1.ListConnectorsRequest;
import dev.bridle.core.CoreFixture;
import io.grpc.Channel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConnectorServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;

  @BeforeEach
  void aCaller() {
    owner = core.owner();
  }

  @Test
  void theListIsEmptyAndAtItsEnd() {
    assertThat(listed(owner, CoreFixture.WORKSPACE))
        .isEqualTo(PageInfo.newBuilder().setHasMore(false).build());
  }

  @Test
  void noConnectorIsThere() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () ->
            ConnectorServiceGrpc.newBlockingStub(owner)
                .getConnector(
                    GetConnectorRequest.newBuilder().setConnectorId("connector_1").build()));
  }

  @Test
  void whatTheCallerDoesNotReachIsNotThere() {
    Channel stranger = core.of(CoreFixture.TENANT, "another");

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> listed(stranger, CoreFixture.WORKSPACE));
  }

  @Test
  void nobodyWasEverGivenACursor() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () ->
            ConnectorServiceGrpc.newBlockingStub(owner)
                .listConnectors(ListConnectorsRequest.newBuilder().setCursor("abc").build()));
  }

  @Test
  void readsAskForCredentials() {
    assertRefused(
        ErrorCode.ERROR_CODE_UNAUTHENTICATED,
        "",
        () -> listed(core.nobody(), CoreFixture.WORKSPACE));
  }

  private static PageInfo listed(Channel caller, String workspace) {
    return ConnectorServiceGrpc.newBlockingStub(caller)
        .listConnectors(ListConnectorsRequest.newBuilder().setWorkspaceId(workspace).build())
        .getPage();
  }
}
