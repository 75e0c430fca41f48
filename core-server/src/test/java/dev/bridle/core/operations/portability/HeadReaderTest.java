package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeadReaderTest {
  private static final String TENANT = "default";
  private static final String SESSION = "session_a";

  @TempDir Path directory;
  private KeyValueStore store;
  private TransferStores there;

  @BeforeEach
  void start() {
    store = SuiteStore.openSteady(directory);
    there = stores(store);
    store.transact(
        tr -> {
          byte[] session = Session.newBuilder().setId(SESSION).build().toByteArray();
          there.records().insert(tr, TENANT, 3, SESSION, session);
          there.events().raiseLast(tr, TENANT, SESSION, EventId.lastOf(1, 5_000));
          return true;
        });
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void tasksThatHaveEndedAreReadInTransactionsBeforeThatOfTheHead() {
    for (int at = 0; at < 1200; at += 100) {
      int from = at;
      store.transact(
          tr -> {
            for (int i = from; i < from + 100; i++) {
              task(tr, i, i % 500 == 7 ? working() : ended());
            }
            return true;
          });
    }
    WatchedReads watched = new WatchedReads(store, () -> {});

    SessionHead head = head(watched);

    assertThat(head.live().keySet()).containsExactlyInAnyOrder("task_7", "task_507", "task_1007");
    List<Integer> asked = watched.asked();
    assertThat(asked.get(asked.size() - 1)).isLessThan(16);
    assertThat(asked).allSatisfy(reads -> assertThat(reads).isLessThan(510));
  }

  @Test
  void whatEndsOrComesBetweenThePagesAndTheHeadIsAsTheHeadSeesIt() {
    store.transact(
        tr -> {
          task(tr, 1, working());
          task(tr, 2, working());
          return true;
        });
    Runnable meanwhile =
        () ->
            store.transact(
                tr -> {
                  there.records().remove(tr, TENANT, 10, "task_1");
                  there.records().insert(tr, TENANT, 10, "task_1", bytes("task_1", ended()));
                  task(tr, 3, working());
                  task(tr, 4, ended());
                  return true;
                });

    SessionHead head = head(new WatchedReads(store, meanwhile));

    assertThat(head.live().keySet()).containsExactlyInAnyOrder("task_2", "task_3");
  }

  @Test
  void aSessionIsRefusedThatHasMoreOpenThanFitsIntoMemory() {
    store.transact(
        tr -> {
          for (int i = 0; i < 300; i++) {
            artifact(tr, i);
          }
          return true;
        });

    assertThat(new HeadReader(there, TENANT, 1 << 20).read(SESSION, Optional.empty()))
        .hasValueSatisfying(head -> assertThat(head.empty()).hasSize(300));
    assertThatThrownBy(() -> new HeadReader(there, TENANT, 3000).read(SESSION, Optional.empty()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("can't be read consistently");
  }

  private static SessionHead head(KeyValueStore over) {
    return new HeadReader(stores(over), TENANT).read(SESSION, Optional.empty()).orElseThrow();
  }

  private static TransferStores stores(KeyValueStore store) {
    KeyLayout layout = KeyLayout.root();
    return TransferStores.in(
        store, layout, CoreRecords.CATALOG, new Installation(layout), EventLog.open(store, layout));
  }

  private static TaskStatus working() {
    return TaskStatus.TASK_STATUS_WORKING;
  }

  private static TaskStatus ended() {
    return TaskStatus.TASK_STATUS_COMPLETED;
  }

  private void task(Transaction tr, int number, TaskStatus status) {
    String id = "task_" + number;
    there.records().insert(tr, TENANT, 10, id, bytes(id, status));
    row(tr, 10, number, id);
  }

  private static byte[] bytes(String id, TaskStatus status) {
    MessageLite record =
        TaskRecord.newBuilder().setTask(Task.newBuilder().setId(id).setStatus(status)).build();
    return record.toByteArray();
  }

  private void artifact(Transaction tr, int number) {
    String id = "artifact_" + number;
    byte[] record =
        ArtifactRecord.newBuilder()
            .setArtifact(Artifact.newBuilder().setId(id))
            .build()
            .toByteArray();
    there.records().insert(tr, TENANT, 5, id, record);
    row(tr, 5, number, id);
  }

  private void row(Transaction tr, int kind, int number, String id) {
    byte[] place =
        ByteBuffer.allocate(LogPosition.BYTES).putShort((short) 1).putLong(number).array();
    there.records().index(tr, TENANT, kind, 2, SESSION, new Row(LogPosition.fromBytes(place), id));
  }
}
