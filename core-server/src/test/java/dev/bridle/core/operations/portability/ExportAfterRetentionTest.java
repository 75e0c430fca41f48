package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported once retention has dropped events; each core is checked when it stops. */
final class ExportAfterRetentionTest {
  /** More than an export reads at once. */
  private static final int MESSAGES = 45;

  @TempDir Path directory;
  private TestCore source;
  private TestCore target;
  private String session;
  private Task task;
  private List<Event> told;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    session = source.newSession();
    task = source.submit(session);
    for (int i = 0; i < MESSAGES; i++) {
      source
          .tasks()
          .appendTaskMessage(
              AppendTaskMessageRequest.newBuilder()
                  .setTaskId(task.getId())
                  .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INTERRUPT)
                  .setMessage(World.text("hurry"))
                  .build());
    }
    source.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task.getId()).build());
    told = source.allEventsOf(task.getId());
    assertThat(told).hasSizeGreaterThan(MESSAGES);
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  @Test
  void aTaskComesWithTheEventsThatAreLeftOfIt() {
    Dropped.before(source, session, told.get(40).getId());
    byte[] file = taskFile();

    loadUnproven(file);

    assertThat(Transfer.read(file).counts().events()).isEqualTo(told.size() - 40);
    assertThat(target.allEventsOf(task.getId()))
        .isEqualTo(source.allEventsOf(task.getId()))
        .hasSize(told.size() - 40);
    assertThat(target.task(task.getId())).isEqualTo(source.task(task.getId()));
    assertThat(cursorExpired(told.get(0).getId())).isTrue();
  }

  @Test
  void aTaskComesWithoutEventsOnceNoneIsLeft() {
    Task later = source.submit(session);
    Dropped.before(source, session, source.eventsOf(later.getId()).get(0).getId());
    byte[] file = taskFile();

    loadUnproven(file);

    assertThat(Transfer.read(file).counts().events()).isZero();
    assertThat(Transfer.read(file).lastUnit().orElseThrow().highWater()).isEmpty();
    assertThat(target.allEventsOf(task.getId())).isEmpty();
    assertThat(target.task(task.getId())).isEqualTo(source.task(task.getId()));
    byte[] again =
        Transfer.export(target, ExportRequest.newBuilder().setSessionId(session).build());
    assertThat(Transfer.read(again).counts().records()).isPositive();
  }

  @Test
  void aTaskThatHasAllItsEventsLeavesTheCursorsOfItsSessionAlone() {
    Task later = source.submit(session);
    source.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(later.getId()).build());
    Dropped.before(source, session, source.eventsOf(later.getId()).get(0).getId());

    Transfer.load(
        target,
        Transfer.export(source, ExportRequest.newBuilder().setTaskId(later.getId()).build()));

    assertThat(target.allEventsOf(later.getId())).isEqualTo(source.allEventsOf(later.getId()));
    assertThat(cursorExpired(told.get(0).getId())).isFalse();
  }

  @Test
  void aSessionComesWithTheEventsThatAreLeftOfIt() {
    source.submit(session);
    Dropped.before(source, session, told.get(40).getId());
    Map<String, Object> before = Reads.of(source);

    loadUnproven(Transfer.export(source, ExportRequest.newBuilder().setSessionId(session).build()));

    Map<String, Object> after = Reads.of(target);
    for (String key : List.of(session, session + " tasks", session + " events")) {
      assertThat(after.get(key)).as(key).isEqualTo(before.get(key));
    }
    assertThat(cursorExpired(told.get(0).getId())).isTrue();
  }

  @Test
  void eventsThatAreDroppedWhileASessionIsTakenOutLeaveNoHole() {
    World world = World.in(source);
    String first = world.session;
    TransferStores stores =
        TransferStores.in(
            source.store(),
            KeyLayout.root(),
            CoreRecords.CATALOG,
            new Installation(KeyLayout.root()),
            EventLog.open(source.store(), KeyLayout.root()));
    Exporter exporter =
        new Exporter(
            stores, "installation_x", Clock.systemUTC(), "default", Transfer.run("default"));
    Row row = exporter.context().row(SessionStore.SESSION, RecordDef.ALL, "", first);
    exporter.header(Optional.of(first), Optional.empty());
    exporter.oneSession(row);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FileCheck soFar = new FileCheck(block -> {});
    while (soFar.wholeTo() == 0 || out.size() < 100_000) {
      byte[] piece = exporter.run().next().orElseThrow();
      soFar.take(piece, 0, piece.length);
      out.writeBytes(piece);
    }

    Dropped.before(source, first, source.eventsOf(world.failed.getId()).get(1).getId());
    Optional<byte[]> piece = exporter.run().next();
    while (piece.isPresent()) {
      out.writeBytes(piece.get());
      piece = exporter.run().next();
    }
    loadUnproven(Transfer.sealed(out.toByteArray()));

    assertThat(target.eventsOf(world.completed.getId())).isEmpty();
    assertThat(target.eventsOf(world.failed.getId()))
        .isEqualTo(source.eventsOf(world.failed.getId()));
  }

  /** Loads a file with tasks that lack events: only its server says what the rest followed. */
  private void loadUnproven(byte[] file) {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    assertThatThrownBy(() -> Transfer.load(target, unsigned))
        .hasMessageContaining("nothing proves ");

    boolean isSigned = Transfer.read(file).signed().isPresent();
    ImportSummary loaded =
        Transfer.load(target, file, Transfer.into("default").setUnverified(!isSigned));

    assertThat(loaded.getUnprovenTasks()).isPositive();
    assertThat(loaded.getFaultCount()).isZero();
  }

  private byte[] taskFile() {
    return Transfer.export(source, ExportRequest.newBuilder().setTaskId(task.getId()).build());
  }

  private boolean cursorExpired(String cursor) {
    try {
      return EventServiceGrpc.newBlockingStub(target.owner())
          .listSessionEvents(
              ListSessionEventsRequest.newBuilder()
                  .setSessionId(session)
                  .setAfterEventId(cursor)
                  .build())
          .getDataList()
          .isEmpty();
    } catch (StatusRuntimeException refused) {
      assertThat(refused).hasMessageContaining("older than what is retained");
      return true;
    }
  }
}
