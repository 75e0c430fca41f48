package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.server.WithCore;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.CancelTaskRequest;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of nearly a megabyte: whatever an export reads at once, it reads few of them. */
@Tag("slow")
final class LargeRowsExportTest extends WithCore {
  private static final String TENANT = "default";
  private static final int LARGE = 900_000;
  private static final int ROWS = 8;

  /**
   * What a read may have above its bound: the row with which it came there, one more, and what it
   * reads twice of rows that consist of several keys. All rows of one kind would be twice as much.
   */
  private static final long MOST = EventLog.PAGE_BYTES + 3L * LARGE;

  private static final ByteString METADATA =
      ByteString.copyFromUtf8("{\"x\":\"" + "y".repeat(LARGE) + "\"}");

  @Test
  void aTenantsLargeSessionsAndMessagesAndTasksAreReadInPagesThatAreBoundedByBytes() {
    List<String> sessions = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      sessions.add(session());
    }
    for (int row = 0; row < ROWS; row++) {
      message(sessions.get(0), row + "z".repeat(LARGE));
      endedTask(sessions.get(1));
    }
    WatchedReads watched = new WatchedReads(core.store(), () -> {});

    byte[] file = Transfer.sealed(exported(watched));

    assertThat(Collections.max(watched.bytes())).isLessThan(MOST);
    assertThat(watched.bytes().stream().mapToLong(bytes -> bytes).sum())
        .as("sessions, messages with their events, and tasks were read")
        .isGreaterThan(4L * ROWS * LARGE);
    assertThat(Transfer.read(file).counts())
        .isEqualTo(
            Transfer.read(Transfer.export(core, ExportRequest.getDefaultInstance())).counts());
  }

  private String session() {
    return SessionServiceGrpc.newBlockingStub(core.owner())
        .createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId("default")
                .setMetadata(METADATA)
                .build())
        .getId();
  }

  private void message(String session, String text) {
    var unused =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(session)
                    .setMessage(World.text(text))
                    .build());
  }

  private void endedTask(String session) {
    String task =
        core.tasks()
            .submitSessionTask(
                TestCore.submission(session).toBuilder().setMetadata(METADATA).build())
            .getId();
    core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  private static byte[] exported(WatchedReads store) {
    KeyLayout layout = KeyLayout.root();
    TransferStores stores =
        TransferStores.in(
            store,
            layout,
            CoreRecords.CATALOG,
            new Installation(layout),
            EventLog.open(store, layout));
    Exporter exporter =
        new Exporter(stores, "installation_x", Clock.systemUTC(), TENANT, Transfer.run(TENANT));
    exporter.header(Optional.empty(), Optional.empty());
    new TenantExport(stores, TENANT, exporter).all();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Optional<byte[]> piece = exporter.run().next();
        piece.isPresent();
        piece = exporter.run().next()) {
      out.writeBytes(piece.get());
    }
    return out.toByteArray();
  }
}
