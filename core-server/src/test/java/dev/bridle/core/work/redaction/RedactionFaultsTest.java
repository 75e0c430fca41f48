package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.RedactedObject;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The storage check finds every piece of redacted content that is put back. */
class RedactionFaultsTest extends LeasedTasks {
  private static final String MARKER = "MARKER51c0";

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anyRowOfRedactedContentThatIsStillThereIsFound(boolean whole) {
    Task task = new RedactedTask(core, session, MARKER).play(worker, true);
    List<KeyValue> before = marked();
    assertThat(before).hasSizeGreaterThan(20);

    if (whole) {
      redact(RedactedObject.REDACTED_OBJECT_TASK, List.of(task.getId()));
    } else {
      redact(
          RedactedObject.REDACTED_OBJECT_EVENT,
          core.allEventsOf(task.getId()).stream().map(Event::getId).toList());
      redact(
          RedactedObject.REDACTED_OBJECT_ARTIFACT,
          RedactedTask.artifacts(core.owner(), task.getId()));
    }
    assertThat(findings()).isEmpty();
    assertThat(marked()).isEmpty();

    List<String> missed = new ArrayList<>();
    before.forEach(
        old -> {
          byte[] row = old.key();
          var now = core.store().read(tr -> tr.get(row));
          put(row, old.value());
          boolean found =
              findings().stream()
                  .anyMatch(
                      finding ->
                          finding.kind() == FaultKind.REDACTION_WRONG
                              || finding.kind() == FaultKind.BLOB_ORPHANED
                              || finding.kind() == FaultKind.CHUNK_ORPHANED
                              || finding.kind() == FaultKind.VALUE_DAMAGED);
          if (!found) {
            missed.add(new String(row, StandardCharsets.ISO_8859_1));
          }
          now.ifPresentOrElse(
              is -> put(row, is),
              () ->
                  core.store()
                      .transact(
                          tr -> {
                            tr.clear(row);
                            return true;
                          }));
        });

    assertThat(missed).isEmpty();
  }

  @Test
  void contentThatIsGoneWithoutARedactionIsFound() {
    Task task = new RedactedTask(core, session, MARKER).play(worker, false);
    redact(
        RedactedObject.REDACTED_OBJECT_EVENT,
        List.of(core.allEventsOf(task.getId()).get(0).getId()));
    List<KeyValue> marks = StoredBytes.rows(core.store(), "event/");
    assertThat(marks).isNotEmpty();

    marks.forEach(
        mark ->
            core.store()
                .transact(
                    tr -> {
                      tr.clear(mark.key());
                      return true;
                    }));

    assertThat(findings())
        .anyMatch(
            finding ->
                finding.kind() == FaultKind.REDACTION_WRONG
                    && finding.sentence().contains("no redaction has erased it"));
    marks.forEach(mark -> put(mark.key(), mark.value()));
  }

  private void redact(RedactedObject object, List<String> ids) {
    var service = RedactionServiceGrpc.newBlockingStub(core.owner());
    Redaction redaction = service.redact(RedactedTask.request(object, ids.toArray(String[]::new)));
    await()
        .untilAsserted(
            () ->
                assertThat(
                        service
                            .getRedaction(
                                GetRedactionRequest.newBuilder()
                                    .setRedactionId(redaction.getId())
                                    .build())
                            .getStatus())
                    .isEqualTo(RedactionStatus.REDACTION_STATUS_DONE));
  }

  private List<Finding> findings() {
    return new StorageChecker(core.store(), KeyLayout.root(), CoreRecords.CATALOG)
        .check(CheckProgress.SILENT)
        .findings();
  }

  private void put(byte[] key, byte[] value) {
    core.store()
        .transact(
            tr -> {
              tr.set(key, value);
              return true;
            });
  }

  private List<KeyValue> marked() {
    return StoredBytes.rows(core.store(), MARKER);
  }
}
