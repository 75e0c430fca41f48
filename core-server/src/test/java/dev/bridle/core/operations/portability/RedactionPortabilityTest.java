package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.redaction.RedactedTask;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.PendingContent;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.redaction.v1.ListRedactionsRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redactions go with what they are about, and imports bring nothing of it back. */
class RedactionPortabilityTest {
  private static final String MARKER = "MARKER0e88";

  @TempDir Path directory;

  @Test
  void whatWasRedactedStaysRedactedWhereItIsImported() {
    try (TestCore source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
        TestCore target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
        TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT)) {
      String task = redacted(source, source.newSession());

      byte[] whole = Transfer.tenant(source);
      byte[] one = Transfer.export(source, ExportRequest.newBuilder().setTaskId(task).build());
      Transfer.load(target, whole);
      Transfer.load(third, one);

      assertThat(new String(whole, StandardCharsets.ISO_8859_1)).doesNotContain(MARKER);
      assertThat(new String(one, StandardCharsets.ISO_8859_1)).doesNotContain(MARKER);
      assertThat(StoredBytes.with(target.store(), MARKER)).isEmpty();
      for (TestCore core : new TestCore[] {target, third}) {
        assertThat(
                RedactionServiceGrpc.newBlockingStub(core.owner())
                    .listRedactions(ListRedactionsRequest.getDefaultInstance())
                    .getDataList())
            .isNotEmpty()
            .extracting(Redaction::getStatus)
            .containsOnly(RedactionStatus.REDACTION_STATUS_DONE);
        assertThat(core.eventsOf(task).get(0).getPayload().toStringUtf8())
            .contains("\"reason\":\"redacted\"");
      }
    }
  }

  @Test
  void aTaskThatIsStillBeingRedactedIsNotExported() {
    try (TestCore source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT)) {
      String task =
          new RedactedTask(source, source.newSession(), MARKER)
              .play(new TestWorker(source.owner(), "", "w1"), true)
              .getId();
      Redaction redaction =
          RedactedTask.redact(source.owner(), RedactedObject.REDACTED_OBJECT_TASK, task);
      await().until(() -> record(source, redaction.getId()).getDueAt() == 0);
      RedactionRecord done = record(source, redaction.getId());
      RedactionRecord running =
          done.toBuilder()
              .addPending(PendingContent.newBuilder().setObject("task").setId(task))
              .build();

      store(source, done, running);
      assertThatThrownBy(() -> Transfer.tenant(source)).hasMessageContaining("is being redacted");
      store(source, running, done);

      assertThat(new String(Transfer.tenant(source), StandardCharsets.ISO_8859_1))
          .doesNotContain(MARKER);
    }
  }

  private static RedactionRecord record(TestCore core, String id) {
    return core.store()
        .read(tr -> RedactionStore.REDACTION.store(KeyLayout.root()).get(tr, "default", id))
        .orElseThrow();
  }

  private static void store(TestCore core, RedactionRecord before, RedactionRecord record) {
    core.store()
        .transact(
            tr -> {
              RedactionStore.REDACTION
                  .store(KeyLayout.root())
                  .update(tr, "default", record.getRedaction().getId(), before, record);
              return true;
            });
  }

  @Test
  void anExportOfBeforeIsRefusedWhereItsContentWasRedacted() {
    try (TestCore source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT)) {
      String task =
          new RedactedTask(source, source.newSession(), MARKER)
              .play(new TestWorker(source.owner(), "", "w1"), true)
              .getId();
      byte[] before = Transfer.tenant(source);
      assertThat(new String(before, StandardCharsets.ISO_8859_1)).contains(MARKER);
      Event event = source.eventsOf(task).get(0);
      assertThat(
              RedactedTask.redact(
                      source.owner(), RedactedObject.REDACTED_OBJECT_EVENT, event.getId())
                  .getResources())
          .isPositive();

      assertThatThrownBy(() -> Transfer.load(source, before))
          .hasMessageContaining("was redacted here");
    }
  }

  /** Plays a task and redacts all of it. */
  private static String redacted(TestCore core, String session) {
    String task =
        new RedactedTask(core, session, MARKER)
            .play(new TestWorker(core.owner(), "", "w1"), false)
            .getId();
    for (Event event : core.allEventsOf(task)) {
      redact(core, RedactedObject.REDACTED_OBJECT_EVENT, event.getId());
    }
    for (String artifact : RedactedTask.artifacts(core.owner(), task)) {
      redact(core, RedactedObject.REDACTED_OBJECT_ARTIFACT, artifact);
    }
    return task;
  }

  private static void redact(TestCore core, RedactedObject object, String id) {
    assertThat(RedactedTask.redact(core.owner(), object, id).getId()).isNotEmpty();
  }
}
