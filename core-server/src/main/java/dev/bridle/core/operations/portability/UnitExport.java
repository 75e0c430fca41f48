package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
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

/**
 * The steps that export the parts of a session, or of one of its tasks, up to its high-water mark.
 */
final class UnitExport {
  private static final int EVENTS_AT_ONCE = 32;
  private static final int ROWS_AT_ONCE = 64;
  private static final int CHUNKS_AT_ONCE = 4;
  private static final int STEPS_AT_ONCE = 16;

  private final TransferStores stores;
  private final String tenant;
  private final ExportRun run;
  private final ContextRecords context;

  UnitExport(TransferStores stores, String tenant, ExportRun run, ContextRecords context) {
    this.stores = stores;
    this.tenant = tenant;
    this.run = run;
    this.context = context;
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

  /** Exports artifacts after a row, each preceded by its content. */
  void artifacts(SessionHead head, int index, String value, Optional<LogPosition> after) {
    List<Row> rows = rows(ArtifactStore.ARTIFACT, index, value, after, head.highWater());
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      Optional<byte[]> record =
          Optional.ofNullable(head.empty().get(row.id()))
              .or(() -> read(ArtifactStore.ARTIFACT, row.id()));
      record.ifPresent(bytes -> next.add(() -> artifact(row, bytes)));
    }
    again(rows, next, place -> artifacts(head, index, value, Optional.of(place)));
    run.first(next);
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

  /** Exports messages after a row, of the whole session or of one task. */
  void messages(SessionHead head, Optional<String> task, Optional<LogPosition> after) {
    String session = head.session().getId();
    List<Row> rows =
        rows(
            MessageStore.MESSAGE,
            MessageStore.MESSAGES_BY_SESSION,
            session,
            after,
            head.highWater());
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(() -> message(row, task));
    }
    again(rows, next, place -> messages(head, task, Optional.of(place)));
    run.first(next);
  }

  /** Exports the branches of a session after a row. */
  void branches(SessionHead head, Optional<LogPosition> after) {
    List<Row> rows =
        rows(
            BranchStore.BRANCH,
            RecordDef.BY_SESSION,
            head.session().getId(),
            after,
            head.highWater());
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(
          () ->
              read(BranchStore.BRANCH, row.id())
                  .ifPresent(bytes -> run.record(BranchStore.BRANCH, row, bytes, false)));
    }
    again(rows, next, place -> branches(head, Optional.of(place)));
    run.first(next);
  }

  private void message(Row row, Optional<String> task) {
    read(MessageStore.MESSAGE, row.id())
        .filter(
            bytes ->
                task.isEmpty()
                    || TransferStores.parse(Message.parser(), bytes).getTaskId().equals(task.get()))
        .ifPresent(bytes -> run.record(MessageStore.MESSAGE, row, bytes, false));
  }

  /** Exports the tasks of a session after a row. */
  void tasks(SessionHead head, Optional<LogPosition> after) {
    List<Row> rows =
        rows(TaskStore.TASK, RecordDef.BY_SESSION, head.session().getId(), after, head.highWater());
    List<Runnable> next = new ArrayList<>();
    rows.forEach(row -> next.add(() -> task(head, row)));
    again(rows, next, place -> tasks(head, Optional.of(place)));
    run.first(next);
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
    } else {
      next.add(() -> outcome(row.id()));
      next.add(() -> permissions(row.id(), Optional.empty()));
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
        .store()
        .read(
            tr ->
                stores
                    .records()
                    .page(
                        tr,
                        tenant,
                        OutcomeStore.OUTCOME.number(),
                        OutcomeStore.OUTCOMES_BY_TASK,
                        task,
                        Optional.empty(),
                        1))
        .forEach(
            row ->
                read(OutcomeStore.OUTCOME, row.id())
                    .ifPresent(bytes -> run.record(OutcomeStore.OUTCOME, row, bytes, false)));
  }

  private void permissions(String task, Optional<LogPosition> after) {
    List<Row> rows =
        page(PermissionStore.PERMISSION, PermissionStore.PERMISSIONS_BY_TASK, task, after);
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(
          () ->
              read(PermissionStore.PERMISSION, row.id())
                  .ifPresent(bytes -> run.record(PermissionStore.PERMISSION, row, bytes, false)));
    }
    again(rows, next, place -> permissions(task, Optional.of(place)));
    run.first(next);
  }

  private void steps(String task, String after) {
    List<LiveTask.Step> page =
        stores.store().read(tr -> LiveTask.steps(tr, stores, tenant, task, after, STEPS_AT_ONCE));
    page.forEach(step -> run.step(task, step));
    if (!page.isEmpty()) { // A page may end early for its bytes.
      run.first(List.of(() -> steps(task, page.get(page.size() - 1).key())));
    }
  }

  /** Returns a record's bytes, read in a separate transaction. */
  Optional<byte[]> read(RecordDef<?> kind, String id) {
    return stores.store().read(tr -> stores.records().get(tr, tenant, kind.number(), id));
  }

  private List<Row> rows(
      RecordDef<?> kind, int index, String value, Optional<LogPosition> after, EventId highWater) {
    return page(kind, index, value, after).stream()
        .filter(row -> row.place().committedBy(highWater))
        .toList();
  }

  /** Returns a page of an index. */
  List<Row> page(RecordDef<?> kind, int index, String value, Optional<LogPosition> after) {
    return stores
        .store()
        .read(
            tr ->
                stores
                    .records()
                    .page(tr, tenant, kind.number(), index, value, after, ROWS_AT_ONCE));
  }

  /** Adds the step for the next page after a full one. */
  void again(List<Row> rows, List<Runnable> next, Consumer<LogPosition> step) {
    if (rows.size() == ROWS_AT_ONCE) {
      LogPosition last = rows.get(rows.size() - 1).place();
      next.add(() -> step.accept(last));
    }
  }
}
