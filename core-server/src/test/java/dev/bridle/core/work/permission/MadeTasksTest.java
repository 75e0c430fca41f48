package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.SampleConnectors;
import dev.bridle.core.integrations.schedule.SampleSchedules;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.schedule.v1.UpdateScheduleRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has a schedule or a connector submit tasks counts as who has submitted them. */
final class MadeTasksTest {
  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-11-21T10:00:30Z");
  private KeyValueStore store;
  private CoreOver core;
  private Channel ada;

  @BeforeEach
  void start() {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock);
    ada = core.of("default");
  }

  @AfterEach
  void stop() {
    core.close();
    store.close();
  }

  @Test
  void aScheduleSubmitsForWhoHasMadeItAndThenForWhoHasChangedIt() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.cron("* * * * *"));
    clock.set("2026-11-21T10:01:10Z");
    await().until(() -> tasks().size() == 1);
    assertThat(submitter(tasks().get(0))).isEqualTo("ada");

    var unused =
        ScheduleServiceGrpc.newBlockingStub(core.approver("default"))
            .updateSchedule(
                UpdateScheduleRequest.newBuilder()
                    .setScheduleId(schedule.getId())
                    .setText("something else")
                    .setUpdateMask(FieldMask.newBuilder().addPaths("text"))
                    .build());
    clock.set("2026-11-21T10:02:10Z");
    await().until(() -> tasks().size() == 2);

    assertThat(tasks()).extracting(this::submitter).containsExactlyInAnyOrder("ada", "bob");
    assertThat(tasks())
        .as("what who made it has put there may have stayed")
        .anySatisfy(task -> assertThat(record(task).getAlsoSubmittedByList()).contains("ada"));
    assertThat(tasks()).extracting(Task::getCreatedBy).containsOnly(schedule.getId());
  }

  @Test
  void whoChangesAScheduleInNothingThatItSubmitsDoesNotTakeItOver() {
    Schedule schedule = SampleSchedules.made(ada, SampleSchedules.cron("* * * * *"));
    var unused =
        ScheduleServiceGrpc.newBlockingStub(core.approver("default"))
            .updateSchedule(
                UpdateScheduleRequest.newBuilder()
                    .setScheduleId(schedule.getId())
                    .setMetadata(ByteString.copyFromUtf8("{\"x\":1}"))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("metadata"))
                    .build());

    clock.set("2026-11-21T10:01:10Z");
    await().until(() -> tasks().size() == 1);

    assertThat(submitter(tasks().get(0))).isEqualTo("ada");
  }

  @Test
  void aConnectorSubmitsForWhoHasMadeIt() {
    Connector connector =
        SampleConnectors.made(ada, SampleConnectors.described(SampleConnectors.vault(ada)));

    TaskRecord task = delivered(connector);

    assertThat(task.getSubmittedBy()).isEqualTo("ada");
  }

  @Test
  void whoRenewsThePathOfAConnectorCountsToo() {
    Connector connector =
        SampleConnectors.made(ada, SampleConnectors.described(SampleConnectors.vault(ada)));
    Connector renewed =
        ConnectorServiceGrpc.newBlockingStub(core.approver("default"))
            .renewConnectorIngress(
                RenewConnectorIngressRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .build());

    TaskRecord task = delivered(renewed);

    assertThat(task.getSubmittedBy()).isEqualTo("ada");
    assertThat(task.getAlsoSubmittedByList()).containsExactly("bob");
  }

  @Test
  void whoSetsTheSecretThatDeliveriesAreSignedWithCountsToo() {
    String vault = SampleConnectors.vault(ada);
    Connector connector = SampleConnectors.made(ada, SampleConnectors.described(vault));
    var known = SampleVaults.put(core.approver("default"), vault, "hook", SampleConnectors.SECRET);
    assertThat(known.getVersion()).isEqualTo(2);
    var again = SampleVaults.put(ada, vault, "hook", SampleConnectors.SECRET);
    assertThat(again.getVersion()).isEqualTo(3);

    TaskRecord task = delivered(connector);

    assertThat(task.getSubmittedBy()).isEqualTo("ada");
    assertThat(task.getAlsoSubmittedByList()).containsExactly("bob");
  }

  @Test
  void whoChangesWhereAConnectorGetsItsTextsFromCountsToo() {
    Connector connector =
        SampleConnectors.made(ada, SampleConnectors.described(SampleConnectors.vault(ada)));
    Connector changed =
        ConnectorServiceGrpc.newBlockingStub(core.approver("default"))
            .updateConnector(
                UpdateConnectorRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .addEventKinds("opened")
                    .setUpdateMask(FieldMask.newBuilder().addPaths("event_kinds"))
                    .build());
    assertThat(changed.getEventKindsList()).containsExactly("opened");

    ConnectorRecord record =
        store.read(
            tr ->
                ConnectorStore.CONNECTOR
                    .store(KeyLayout.root())
                    .get(tr, "default", connector.getId())
                    .orElseThrow());

    assertThat(record.getShapedByList()).containsExactly("ada", "bob");
  }

  /** Returns the one task that a delivery to a connector submits. */
  private TaskRecord delivered(Connector connector) {
    var unused =
        SampleConnectors.deliver(
            core.core().channel(),
            SampleConnectors.delivery(
                SampleConnectors.ingress(connector), "d1", "{\"title\":\"one\"}"));
    await().until(() -> tasks().size() == 1);
    return record(tasks().get(0));
  }

  private List<Task> tasks() {
    return TaskServiceGrpc.newBlockingStub(ada)
        .listTasks(ListTasksRequest.getDefaultInstance())
        .getDataList();
  }

  private String submitter(Task task) {
    return record(task).getSubmittedBy();
  }

  private TaskRecord record(Task task) {
    return store.read(
        tr -> new TaskStore(KeyLayout.root()).find(tr, "default", task.getId()).orElseThrow());
  }
}
