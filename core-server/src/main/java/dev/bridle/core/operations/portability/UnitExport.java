package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The steps that export the parts of a session, or of one of its tasks, up to its high-water mark.
 */
final class UnitExport {
  private static final int EVENTS_AT_ONCE = 32;
  private static final int CHUNKS_AT_ONCE = 4;
  private static final int STEPS_AT_ONCE = 16;

  private final TransferStores stores;
  private final String tenant;
  private final ExportRun run;
  private final ContextRecords context;
  private final ReceiptExport receipts;

  UnitExport(
      TransferStores stores,
      String installation,
      String tenant,
      ExportRun run,
      ContextRecords context) {
    this.stores = stores;
    this.tenant = tenant;
    this.run = run;
    this.context = context;
    this.receipts = new ReceiptExport(stores, installation, tenant, run);
  }

  /** Exports a stream's events after one, up to another. */
  void events(String stream, Optional<EventId> after, EventId last) {
    EventPage page =
        stores
            .store()
            .read(
                tr ->
                    stores
                        .log()
                        .readStream(
                            tr, tenant, stream, after, EVENTS_AT_ONCE, EventLog.PAGE_BYTES));
    List<StoredEvent> upTo =
        page.events().stream().filter(event -> event.id().compareTo(last) <= 0).toList();
    upTo.forEach(run::event);
    boolean whole = page.cut() && upTo.size() == page.events().size();
    if (whole || upTo.size() == EVENTS_AT_ONCE) {
      EventId at = upTo.get(upTo.size() - 1).id();
      run.first(List.of(() -> events(stream, Optional.of(at), last)));
    }
  }

  /**
   * Exports a task's events from one sequence number until before another, without those that
   * retention has dropped.
   */
  void taskEvents(String session, String task, long from, long end) {
    long next = from;
    EventPage page =
        stores
            .store()
            .read(
                tr ->
                    stores
                        .log()
                        .readTask(
                            tr, tenant, session, task, from, EVENTS_AT_ONCE, EventLog.PAGE_BYTES));
    for (StoredEvent event : page.events()) {
      long sequence = TransferStores.parse(EventRecord.parser(), event.body()).getSequence();
      if (sequence < end) {
        run.event(event);
      }
      next = sequence + 1;
    }
    if (next > from && next < end) {
      long rest = next;
      run.first(List.of(() -> taskEvents(session, task, rest, end)));
    }
  }

  /** Exports the artifacts of a value of an index, each preceded by its content. */
  void artifacts(SessionHead head, int index, String value) {
    each(
        ArtifactStore.ARTIFACT,
        index,
        value,
        until(head),
        row ->
            Optional.ofNullable(head.empty().get(row.id()))
                .or(() -> read(ArtifactStore.ARTIFACT, row.id()))
                .ifPresent(record -> artifact(row, record)));
  }

  /** Exports an artifact, preceded by its content. */
  void artifact(Row row, byte[] record) {
    String blob = TransferStores.parse(ArtifactRecord.parser(), record).getBlobId();
    Runnable last = () -> run.record(ArtifactStore.ARTIFACT, row, record, false);
    run.first(blob.isEmpty() ? List.of(last) : List.of(() -> chunks(blob, 0), last));
  }

  private void chunks(String blob, long from) {
    List<byte[]> page =
        stores.store().read(tr -> stores.blobs().read(tr, tenant, blob, from, CHUNKS_AT_ONCE));
    for (int i = 0; i < page.size(); i++) {
      run.chunk(blob, from + i, page.get(i));
    }
    if (page.size() == CHUNKS_AT_ONCE) {
      run.first(List.of(() -> chunks(blob, from + CHUNKS_AT_ONCE)));
    }
  }

  /** Exports messages, of the whole session or of one task. */
  void messages(SessionHead head, Optional<String> task) {
    each(
        MessageStore.MESSAGE,
        MessageStore.MESSAGES_BY_SESSION,
        head.session().getId(),
        until(head),
        row -> message(row, task));
  }

  /**
   * Exports which content of a session was redacted, or of one task of it. Comes after the content:
   * what was redacted while that was read may be in the file already.
   */
  void redactions(SessionHead head, Optional<String> task) {
    redactions(
        task.isPresent() ? RedactionStore.BY_TASK : RedactionStore.BY_STREAM,
        task.orElse(head.session().getId()),
        until(head));
  }

  /** Exports that an artifact of no session was redacted, whose newest event is given. */
  void redactions(String artifact, Optional<EventId> last) {
    redactions(
        RedactionStore.BY_STREAM,
        artifact,
        row -> last.filter(event -> row.place().committedBy(event)).isPresent());
  }

  private void redactions(int index, String value, Predicate<Row> before) {
    each(
        RedactionStore.REDACTED_RESOURCE,
        index,
        value,
        row -> true,
        row -> {
          if (!before.test(row)) {
            throw ProtocolException.of(
                    ErrorCode.ERROR_CODE_CONFLICT,
                    "Content was redacted while it was exported; export it again, to a new file.")
                .with("redacted", row.id());
          }
          read(RedactionStore.REDACTED_RESOURCE, row.id()).ifPresent(bytes -> redacted(row, bytes));
        });
  }

  private void redacted(Row row, byte[] bytes) {
    RedactedResourceRecord record = TransferStores.parse(RedactedResourceRecord.parser(), bytes);
    if (record.getObject().equals(RedactionStore.PERMISSION_GRANT)) {
      return; // Grants are not exported.
    }
    String redaction = record.getRedactionId();
    read(RedactionStore.REDACTION, redaction)
        .ifPresent(
            of -> {
              refuseRunning(redaction, of);
              run.unlistedContext(RedactionStore.REDACTION, redaction, of);
            });
    run.record(RedactionStore.REDACTED_RESOURCE, row, bytes, false);
  }

  /**
   * What it still erases would be in the file, and nobody would erase it where that is imported.
   */
  private static void refuseRunning(String id, byte[] redaction) {
    if (TransferStores.parse(RedactionRecord.parser(), redaction).getPendingCount() > 0) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "Content is being redacted; export it again, to a new file, once the redaction is"
                  + " done.")
          .with("redaction_id", id);
    }
  }

  /** Exports the branches of a session. */
  void branches(SessionHead head) {
    each(
        BranchStore.BRANCH,
        RecordDef.BY_SESSION,
        head.session().getId(),
        until(head),
        row -> record(BranchStore.BRANCH, row));
  }

  private void message(Row row, Optional<String> task) {
    read(MessageStore.MESSAGE, row.id())
        .filter(
            bytes ->
                task.isEmpty()
                    || TransferStores.parse(Message.parser(), bytes).getTaskId().equals(task.get()))
        .ifPresent(bytes -> run.record(MessageStore.MESSAGE, row, bytes, false));
  }

  /** Exports the public keys that verify receipts and this export, once. */
  void keys() {
    receipts.keys();
  }

  /** Exports the receipts of a session, or of one task of it, with what verifies them. */
  void receipts(SessionHead head, Optional<String> task) {
    receipts.keys();
    if (head.chain().isPresent()) {
      each(
          ReceiptStore.RECEIPT,
          task.isPresent() ? ReceiptStore.RECEIPTS_BY_TASK : RecordDef.BY_SESSION,
          task.orElse(head.session().getId()),
          until(head),
          row -> {
            record(ReceiptStore.RECEIPT, row);
            receipts.ofSubject(row.id());
          });
      receipts.chain(head.chain().get(), task.isPresent());
    }
  }

  /** Exports the tasks of a session. */
  void tasks(SessionHead head) {
    each(
        TaskStore.TASK,
        RecordDef.BY_SESSION,
        head.session().getId(),
        until(head),
        row -> task(head, row));
  }

  /** Exports a task: its parts first, and its record last. */
  void task(SessionHead head, Row row) {
    Optional<LiveTask> live = Optional.ofNullable(head.live().get(row.id()));
    Optional<byte[]> record = live.map(LiveTask::record).or(() -> read(TaskStore.TASK, row.id()));
    if (record.isEmpty()) {
      return; // Dropped by retention meanwhile.
    }
    read(TaskStore.TASK_INPUT, row.id())
        .ifPresent(bytes -> run.unlisted(TaskStore.TASK_INPUT, row.id(), bytes));
    TaskRecord task = TransferStores.parse(TaskRecord.parser(), record.get());
    List<Runnable> next = new ArrayList<>();
    if (live.isPresent()) {
      run.liveTask();
      live.get().steps().forEach(step -> run.step(row.id(), step));
      for (LiveTask.Permission permission : live.get().permissions()) {
        run.record(PermissionStore.PERMISSION, permission.row(), permission.record(), false);
      }
      receipts.facts(live.get().facts());
    } else {
      next.add(() -> receipts.ofTask(task));
      next.add(() -> outcome(row.id()));
      next.add(
          () ->
              each(
                  PermissionStore.PERMISSION,
                  PermissionStore.PERMISSIONS_BY_TASK,
                  row.id(),
                  any -> true,
                  permission -> record(PermissionStore.PERMISSION, permission)));
      if (task.getHasSteps()) {
        next.add(() -> steps(row.id(), ""));
      }
    }
    next.add(() -> context.named(new StoredRecord<>(TaskStore.TASK, row.id(), task)));
    next.add(() -> run.record(TaskStore.TASK, row, record.get(), false));
    run.first(next);
  }

  private void outcome(String task) {
    stores
        .page(tenant, OutcomeStore.OUTCOME, OutcomeStore.OUTCOMES_BY_TASK, task, Optional.empty())
        .stream()
        .limit(1)
        .forEach(row -> record(OutcomeStore.OUTCOME, row));
  }

  private void steps(String task, String after) {
    List<LiveTask.Step> page =
        stores.store().read(tr -> LiveTask.steps(tr, stores, tenant, task, after, STEPS_AT_ONCE));
    page.forEach(step -> run.step(task, step));
    if (!page.isEmpty()) { // A page may end early for its bytes.
      run.first(List.of(() -> steps(task, page.get(page.size() - 1).key())));
    }
  }

  /**
   * Runs a step for each row of an index, page by page.
   *
   * @param which the rows to export; the first page that is not full of such rows is the last
   */
  void each(RecordDef<?> kind, int index, String value, Predicate<Row> which, Consumer<Row> step) {
    each(after -> stores.page(tenant, kind, index, value, after), Optional.empty(), which, step);
  }

  private void each(
      Function<Optional<LogPosition>, List<Row>> pages,
      Optional<LogPosition> after,
      Predicate<Row> which,
      Consumer<Row> step) {
    List<Row> rows = pages.apply(after).stream().filter(which).toList();
    List<Runnable> next = new ArrayList<>();
    rows.forEach(row -> next.add(() -> step.accept(row)));
    if (rows.size() == TransferStores.ROWS_AT_ONCE) {
      LogPosition last = rows.get(rows.size() - 1).place();
      next.add(() -> each(pages, Optional.of(last), which, step));
    }
    run.first(next);
  }

  private static Predicate<Row> until(SessionHead head) {
    return row -> row.place().committedBy(head.highWater());
  }

  private void record(RecordDef<?> kind, Row row) {
    read(kind, row.id()).ifPresent(bytes -> run.record(kind, row, bytes, false));
  }

  private Optional<byte[]> read(RecordDef<?> kind, String id) {
    return stores.read(tenant, kind, id);
  }
}
