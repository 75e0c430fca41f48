package dev.bridle.core.later;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ListConnectorsRequest;
import dev.bridle.core.CoreFixture;
import io.grpc.Channel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EmptyListsTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;

  @BeforeEach
  void aCaller() {
    owner = core.owner();
  }

  @Test
  void everyListIsEmptyAndAtItsEnd() {
    PageInfo end = PageInfo.newBuilder().setHasMore(false).build();

    assertThat(connectors(owner, CoreFixture.WORKSPACE)).isEqualTo(end);
  }

  @Test
  void whatTheCallerDoesNotReachIsNotThere() {
    Channel stranger = core.of(CoreFixture.TENANT, "another");

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> connectors(stranger, CoreFixture.WORKSPACE));
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
  void listsAskForCredentials() {
    assertRefused(
        ErrorCode.ERROR_CODE_UNAUTHENTICATED,
        "",
        () -> connectors(core.nobody(), CoreFixture.WORKSPACE));
  }

  private static PageInfo connectors(Channel caller, String workspace) {
    return ConnectorServiceGrpc.newBlockingStub(caller)
        .listConnectors(ListConnectorsRequest.newBuilder().setWorkspaceId(workspace).build())
        .getPage();
  }
}
