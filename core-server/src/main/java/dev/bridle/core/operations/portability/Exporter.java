package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.kernel.version.Versions;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.Header;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ExportedCounter;
import dev.bridle.record.v1.ExportedStream;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordRows.Row;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Exports one session or one task, and writes the header of every export. */
final class Exporter {
  private final TransferStores stores;
  private final String installation;
  private final Clock clock;
  private final String tenant;
  private final ExportRun run;
  private final ContextRecords context;
  private final UnitExport unit;
  private final HeadReader heads;

  Exporter(TransferStores stores, String installation, Clock clock, String tenant, ExportRun run) {
    this.stores = stores;
    this.installation = installation;
    this.clock = clock;
    this.tenant = tenant;
    this.run = run;
    this.context = new ContextRecords(stores, tenant, run);
    this.unit = new UnitExport(stores, installation, tenant, run, context);
    this.heads = new HeadReader(stores, tenant);
  }

  ExportRun run() {
    return run;
  }

  String tenant() {
    return tenant;
  }

  UnitExport unit() {
    return unit;
  }

  ContextRecords context() {
    return context;
  }

  /** Writes the header. */
  void header(Optional<String> session, Optional<String> task) {
    String kind = task.isPresent() ? "task" : session.isPresent() ? "session" : "tenant";
    String madeAt = Instant.now(clock).truncatedTo(ChronoUnit.MILLIS).toString();
    Header header =
        stores
            .store()
            .read(
                tr -> {
                  int era = stores.log().era(tr, tenant);
                  return new Header(
                      kind,
                      tenant,
                      session,
                      task,
                      installation,
                      era,
                      EventId.lastOf(era, tr.readVersion()).toString(),
                      madeAt,
                      Versions.SERVER);
                });
    run.whole(Block.magic());
    run.whole(header.block());
  }

  /** Exports one session, with the workspace that it refers to. */
  void oneSession(Row row) {
    byte[] record = stores.read(tenant, SessionStore.SESSION, row.id()).orElseThrow();
    String workspace = TransferStores.parse(Session.parser(), record).getWorkspaceId();
    run.first(
        List.of(() -> workspace(workspace), () -> memories(row.id()), () -> session(row, "end:")));
  }

  /** Exports the memories of a session, each with its events. */
  private void memories(String session) {
    unit.each(
        MemoryStore.MEMORY,
        RecordDef.BY_SESSION,
        session,
        any -> true,
        row -> resource(MemoryStore.MEMORY, row));
  }

  /** Exports a resource that consists of its record and its own stream, as a part of a unit. */
  private void resource(RecordDef<?> kind, Row row) {
    stores
        .store()
        .read(tr -> ResourceHead.read(tr, stores, tenant, kind, kind.name(), row.id()))
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> run.record(kind, row, head.record(), false),
                        () -> events(head, row.id()),
                        () -> streamOf(head, kind.name(), row.id()))));
  }

  /** Exports a stream's events up to that of a head. */
  void events(ResourceHead head, String stream) {
    head.last().ifPresent(last -> unit.events(stream, Optional.empty(), last));
  }

  /** Adds the metadata of a resource's own stream. */
  void streamOf(ResourceHead head, String object, String id) {
    if (head.last().isPresent()) {
      stream(id, head.last(), floor(id), object, head.next());
    }
  }

  /** Exports a session. */
  void session(Row row, String cursor) {
    Optional<SessionHead> read = heads.read(row.id(), Optional.empty());
    if (read.isEmpty()) {
      return; // Dropped by retention meanwhile.
    }
    SessionHead head = read.get();
    run.first(
        List.of(
            () -> unit.artifacts(head, RecordDef.BY_SESSION, row.id()),
            () -> unit.events(row.id(), Optional.empty(), head.highWater()),
            () -> unit.messages(head, Optional.empty()),
            () -> unit.tasks(head),
            () -> unit.receipts(head, Optional.empty()),
            () -> unit.branches(head),
            () ->
                head.transcript()
                    .ifPresent(bytes -> run.unlisted(Transcripts.TRANSCRIPT, row.id(), bytes)),
            () -> context.named(new StoredRecord<>(SessionStore.SESSION, row.id(), head.session())),
            () -> unit.redactions(head, Optional.empty()),
            () -> run.record(SessionStore.SESSION, row, head.record(), false),
            () -> sessionEnd(head, row.id(), cursor)));
  }

  private void sessionEnd(SessionHead head, String id, String cursor) {
    stream(id, Optional.of(head.highWater()), floor(id), "session", head.next());
    run.unitEnd("session", id, head.highWater().toString(), cursor);
  }

  /**
   * Returns a stream's floor. Read after the events, so that everything that retention has dropped
   * before or between pages is below it.
   */
  Optional<EventId> floor(String stream) {
    return stores.store().read(tr -> stores.log().floor(tr, tenant, stream));
  }

  /** Adds a stream's metadata. */
  void stream(
      String stream, Optional<EventId> last, Optional<EventId> floor, String object, long next) {
    ExportedStream.Builder kept = ExportedStream.newBuilder().setStream(stream);
    last.ifPresent(id -> kept.setLastEventId(id.toString()));
    floor.ifPresent(id -> kept.setFloor(id.toString()));
    ExportedCounter own =
        ExportedCounter.newBuilder().setObject(object).setId(stream).setNext(next).build();
    run.stream(kept, next > 0 ? Optional.of(own) : Optional.empty());
  }

  /** Exports a task, with the session and the workspace that it refers to. */
  void task(TaskRecord found) {
    String id = found.getTask().getId();
    String session = found.getTask().getSessionId();
    SessionHead head =
        heads
            .read(session, Optional.of(id))
            .orElseThrow(() -> ProtocolException.notFound("task", id));
    Row sessionRow = context.row(SessionStore.SESSION, RecordDef.ALL, "", session);
    TaskRecord record =
        Optional.ofNullable(head.live().get(id))
            .map(LiveTask::record)
            .or(() -> stores.read(tenant, TaskStore.TASK, id))
            .map(bytes -> TransferStores.parse(TaskRecord.parser(), bytes))
            .orElseThrow(() -> ProtocolException.notFound("task", id));
    Row taskRow = context.row(TaskStore.TASK, RecordDef.BY_SESSION, session, id);
    List<Runnable> steps = new ArrayList<>();
    steps.add(() -> workspace(head.session().getWorkspaceId()));
    steps.add(
        () -> context.named(new StoredRecord<>(SessionStore.SESSION, session, head.session())));
    steps.add(() -> run.record(SessionStore.SESSION, sessionRow, head.record(), true));
    steps.add(() -> unit.artifacts(head, ArtifactStore.ARTIFACTS_BY_TASK, id));
    steps.add(() -> unit.taskEvents(session, id, 0, record.getNextSequence()));
    steps.add(() -> unit.messages(head, Optional.of(id)));
    steps.add(() -> unit.task(head, taskRow));
    steps.add(() -> unit.receipts(head, Optional.of(id)));
    steps.add(() -> unit.redactions(head, Optional.of(id)));
    steps.add(() -> taskEnd(record, session));
    run.first(steps);
  }

  private void taskEnd(TaskRecord record, String session) {
    Optional<EventId> last = run.lastEvent();
    boolean whole = run.events() == record.getNextSequence();
    stream(session, last, whole ? Optional.empty() : floor(session), "session", 0);
    run.unitEnd("task", record.getTask().getId(), last.map(EventId::toString).orElse(""), "end:");
  }

  /** Exports a workspace that a session refers to. */
  void workspace(String id) {
    context.one(WorkspaceStore.WORKSPACE, id);
  }
}
