package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ConnectorServiceGrpc.ConnectorServiceBlockingStub;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.connector.v1.ListConnectorsRequest;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.ResumeConnectorRequest;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.ListWorkspacesRequest;
import dev.bridle.workspace.v1.UpdateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc.WorkspaceServiceBlockingStub;
import io.grpc.Channel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectorServiceTest {
  @TempDir Path directory;
  private TestCore core;
  private ConnectorServiceBlockingStub connectors;
  private String vault;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    connectors = ConnectorServiceGrpc.newBlockingStub(core.owner());
    vault = SampleConnectors.vault(core.owner());
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aConnectorIsReadAsItWasMadeAndListedWithItsWorkspace() {
    Connector first = made();
    Connector second = made();

    assertThat(first.getStatus()).isEqualTo(ConnectorStatus.CONNECTOR_STATUS_ACTIVE);
    assertThat(first.getWebhook().getPath()).startsWith("/v1/ingress/hook_").hasSizeGreaterThan(50);
    assertThat(first.getWebhook().getPath()).isNotEqualTo(second.getWebhook().getPath());
    assertThat(get(first)).as("its path is shown once").isEqualTo(withoutPath(first));
    assertThat(
            connectors
                .listConnectors(
                    ListConnectorsRequest.newBuilder().setWorkspaceId("default").build())
                .getDataList())
        .containsExactly(withoutPath(second), withoutPath(first));
    assertThat(connectors.listConnectors(ListConnectorsRequest.getDefaultInstance()).getDataList())
        .containsExactly(withoutPath(second), withoutPath(first));
  }

  @Test
  void aWorkspaceNamesItsConnectorsUntilTheyAreDeleted() {
    WorkspaceServiceBlockingStub workspaces = WorkspaceServiceGrpc.newBlockingStub(core.owner());
    GetWorkspaceRequest get = GetWorkspaceRequest.newBuilder().setWorkspaceId("default").build();
    Connector first = made();
    Connector second = made();

    assertThat(workspaces.getWorkspace(get).getConnectorsList())
        .containsExactly(second.getId(), first.getId());
    delete(second);
    assertThat(workspaces.getWorkspace(get).getConnectorsList()).containsExactly(first.getId());
    assertThat(
            workspaces
                .listWorkspaces(ListWorkspacesRequest.getDefaultInstance())
                .getData(0)
                .getConnectorsList())
        .containsExactly(first.getId());
    assertThat(
            workspaces
                .updateWorkspace(
                    UpdateWorkspaceRequest.newBuilder()
                        .setWorkspaceId("default")
                        .setName("Renamed")
                        .setUpdateMask(FieldMask.newBuilder().addPaths("name"))
                        .build())
                .getConnectorsList())
        .containsExactly(first.getId());
  }

  @Test
  void itsLifeIsToldInItsOwnStreamWithoutItsPath() {
    Connector connector = made();
    pause(connector);
    resume(connector);
    Connector renewed =
        connectors.renewConnectorIngress(
            RenewConnectorIngressRequest.newBuilder().setConnectorId(connector.getId()).build());
    delete(connector);

    assertThat(renewed.getWebhook().getPath()).isNotEqualTo(connector.getWebhook().getPath());
    assertThat(core.events().listEvents(ListEventsRequest.getDefaultInstance()).getDataList())
        .filteredOn(event -> event.getResource().getId().equals(connector.getId()))
        .extracting(Event::getEvent)
        .containsExactly(
            "vendor.bridle.connector_created",
            "vendor.bridle.connector_updated",
            "vendor.bridle.connector_updated",
            "vendor.bridle.connector_updated",
            "vendor.bridle.connector_deleted");
    assertThat(core.events().listEvents(ListEventsRequest.getDefaultInstance()).toString())
        .doesNotContain("hook_");
  }

  @Test
  void whatAnUpdateNamesChangesAndThePathStays() {
    Connector connector = made();

    Connector changed =
        connectors.updateConnector(
            UpdateConnectorRequest.newBuilder()
                .setConnectorId(connector.getId())
                .addEventKinds("issues")
                .setWebhook(connector.getWebhook().toBuilder().setPath("/v1/ingress/hook_mine"))
                .setMapping(DeliveryMapping.newBuilder().setText("{/other}"))
                .setUpdateMask(mask("event_kinds", "webhook", "mapping"))
                .build());

    assertThat(changed.getEventKindsList()).containsExactly("issues");
    assertThat(changed.getMapping().getText()).isEqualTo("{/other}");
    assertThat(changed.getWebhook()).isEqualTo(withoutPath(connector).getWebhook());
    deliver(connector);
    assertThat(get(connector)).isEqualTo(changed);
  }

  @Test
  void aPathIsStoredNowhere() {
    ConnectorServiceGrpc.ConnectorServiceBlockingStub keyed =
        ConnectorServiceGrpc.newBlockingStub(core.withKey("make"));
    CreateConnectorRequest request = SampleConnectors.described(vault).build();
    Connector made = keyed.createConnector(request);
    Connector again = keyed.createConnector(request);
    RenewConnectorIngressRequest renewal =
        RenewConnectorIngressRequest.newBuilder().setConnectorId(made.getId()).build();
    Connector renewed =
        ConnectorServiceGrpc.newBlockingStub(core.withKey("renew")).renewConnectorIngress(renewal);

    assertThat(again).isEqualTo(withoutPath(made));
    deliver(renewed);
    assertThat(stored()).noneMatch(value -> value.contains("hook_"));
  }

  @Test
  void aPathThatAnEarlierReleaseStoredWorksOnAndIsHashedAtTheNextStart() {
    Connector connector = made();
    String id = SampleConnectors.ingress(connector);
    core.store()
        .transact(
            tr -> {
              RecordStore<ConnectorRecord> records =
                  ConnectorStore.CONNECTOR.store(KeyLayout.root());
              ConnectorRecord record = records.get(tr, "default", connector.getId()).orElseThrow();
              records.update(
                  tr,
                  "default",
                  connector.getId(),
                  record,
                  record.toBuilder().clearIngressHash().setIngressId(id).build());
              return true;
            });
    assertThat(stored()).anyMatch(value -> value.contains(id));

    deliver(connector);
    core.close();
    core = TestCore.restart(directory, TaskOptions.DEFAULT, core.key());

    await().until(() -> stored().stream().noneMatch(value -> value.contains(id)));
    connectors = ConnectorServiceGrpc.newBlockingStub(core.owner());
    deliver(connector);
    Connector renewed =
        connectors.renewConnectorIngress(
            RenewConnectorIngressRequest.newBuilder().setConnectorId(connector.getId()).build());
    deliver(renewed);
    assertAbsent(() -> deliver(connector));
  }

  private List<String> stored() {
    KeyRange everything = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});
    return core.store().<List<KeyValue>>read(tr -> tr.getRange(everything, 100_000)).stream()
        .map(row -> new String(row.value(), StandardCharsets.ISO_8859_1))
        .toList();
  }

  private void deliver(Connector connector) {
    assertThat(
            SampleConnectors.deliver(
                    core.core().channel(),
                    SampleConnectors.delivery(SampleConnectors.ingress(connector), "1", "{}"))
                .getDeliveryId())
        .isNotEmpty();
  }

  private static Connector withoutPath(Connector connector) {
    Connector.Builder shown = connector.toBuilder();
    shown.getWebhookBuilder().clearPath();
    return shown.build();
  }

  @Test
  void aConnectorCanNotLoseWhatItNeeds() {
    Connector connector = made();
    for (String member : new String[] {"webhook", "mapping", "provider"}) {
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          member,
          () ->
              connectors.updateConnector(
                  UpdateConnectorRequest.newBuilder()
                      .setConnectorId(connector.getId())
                      .setUpdateMask(mask(member))
                      .build()));
    }
    assertThat(get(connector)).isEqualTo(withoutPath(connector));
  }

  @Test
  void aDeletedConnectorIsNotThere() {
    Connector connector = made();
    delete(connector);

    assertAbsent(() -> get(connector));
    assertAbsent(() -> delete(connector));
    assertAbsent(() -> pause(connector));
    assertThat(connectors.listConnectors(ListConnectorsRequest.getDefaultInstance()).getDataList())
        .isEmpty();
    assertAbsent(
        () ->
            SampleConnectors.deliver(
                core.core().channel(),
                SampleConnectors.delivery(SampleConnectors.ingress(connector), "1", "{}")));
  }

  @Test
  void aDeletionThatIsSentAgainUnderItsKeyIsAnsweredAgain() {
    Connector connector = made();
    var keyed = ConnectorServiceGrpc.newBlockingStub(core.withKey("delete"));
    DeleteConnectorRequest request =
        DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build();

    assertThat(keyed.deleteConnector(request)).isEqualTo(keyed.deleteConnector(request));
  }

  @ParameterizedTest
  @CsvSource({
    "target_persona_id,persona_none",
    "target_session_id,session_none",
  })
  void whatItNamesMustBeThere(String member, String id) {
    var described = SampleConnectors.described(vault);
    var field = described.getDescriptorForType().findFieldByName(member);

    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        member,
        () -> SampleConnectors.made(core.owner(), described.setField(field, id)));
  }

  @Test
  void theSecretMustBeThereInAVaultThatConnectorsMayUse() {
    String closed = SampleVaults.made(core.owner(), "").getId();
    var unused = SampleVaults.put(core.owner(), closed, "hook", "x");

    assertRefused(
        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
        "webhook.signature.secret",
        () -> SampleConnectors.made(core.owner(), SampleConnectors.described(closed)));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "webhook.signature.secret.vault_id",
        () -> SampleConnectors.made(core.owner(), SampleConnectors.described("vault_none")));
    var described = SampleConnectors.described(vault);
    described.getWebhookBuilder().getSignatureBuilder().getSecretBuilder().setName("none");
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "webhook.signature.secret",
        () -> SampleConnectors.made(core.owner(), described));
  }

  @Test
  void templatesAndPointersAreReadBeforeTheyAreKept() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "mapping.text",
        () ->
            SampleConnectors.made(
                core.owner(),
                SampleConnectors.described(vault)
                    .setMapping(DeliveryMapping.newBuilder().setText("{title}"))));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "mapping.event_kind",
        () ->
            SampleConnectors.made(
                core.owner(),
                SampleConnectors.described(vault)
                    .setMapping(
                        DeliveryMapping.newBuilder().setText("x").setEventKind("{event_kind}"))));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "dedupe_policy.pointer",
        () ->
            SampleConnectors.made(
                core.owner(),
                SampleConnectors.described(vault)
                    .setDedupePolicy(DedupePolicy.newBuilder().setPointer("id"))));
  }

  @Test
  void nobodyMakesAConnectorThatDoesMoreThanItsMakerMay() {
    Set<String> all = Set.of("connectors:write", "sessions:write", "tasks:write", "vaults:read");
    for (String lacking : all) {
      Set<String> scopes =
          Set.copyOf(all.stream().filter(scope -> !scope.equals(lacking)).toList());
      Channel caller = core.as(core.core().processCredential("default", "ben", scopes));
      ErrorCode code =
          lacking.equals("vaults:read")
              ? ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND
              : ErrorCode.ERROR_CODE_PERMISSION_DENIED;
      String param = lacking.equals("vaults:read") ? "webhook.signature.secret.vault_id" : "";
      assertRefused(
          code, param, () -> SampleConnectors.made(caller, SampleConnectors.described(vault)));
    }
    Channel caller = core.as(core.core().processCredential("default", "ben", all));
    assertThat(SampleConnectors.made(caller, SampleConnectors.described(vault)).getId())
        .startsWith("connector_");
  }

  private Connector made() {
    return SampleConnectors.made(core.owner(), SampleConnectors.described(vault));
  }

  private Connector get(Connector connector) {
    return connectors.getConnector(
        GetConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }

  private void pause(Connector connector) {
    assertThat(
            connectors
                .pauseConnector(
                    PauseConnectorRequest.newBuilder().setConnectorId(connector.getId()).build())
                .getStatus())
        .isEqualTo(ConnectorStatus.CONNECTOR_STATUS_PAUSED);
  }

  private void resume(Connector connector) {
    assertThat(
            connectors
                .resumeConnector(
                    ResumeConnectorRequest.newBuilder().setConnectorId(connector.getId()).build())
                .getStatus())
        .isEqualTo(ConnectorStatus.CONNECTOR_STATUS_ACTIVE);
  }

  private void delete(Connector connector) {
    var unused =
        connectors.deleteConnector(
            DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }

  private static void assertAbsent(ThrowingCallable call) {
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", call);
  }

  private static FieldMask mask(String... paths) {
    return FieldMask.newBuilder().addAllPaths(List.of(paths)).build();
  }
}
