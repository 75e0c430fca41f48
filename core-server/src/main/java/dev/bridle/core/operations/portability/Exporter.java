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
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes one session or one task out, and begins every export. */
final class Exporter {
  private final Stored stored;
  private final String installation;
  private final Clock clock;
  private final String tenant;
  private final ExportRun run = new ExportRun();
  private final ContextRecords context;
  private final UnitParts parts;
  private final HeadReader heads;

  Exporter(Stored stored, String installation, Clock clock, String tenant) {
    this.stored = stored;
    this.installation = installation;
    this.clock = clock;
    this.tenant = tenant;
    this.context = new ContextRecords(stored, tenant, run);
    this.parts = new UnitParts(stored, tenant, run, context);
    this.heads = new HeadReader(stored, tenant);
  }

  ExportRun run() {
    return run;
  }

  UnitParts parts() {
    return parts;
  }

  ContextRecords context() {
    return context;
  }

  /** Begins the file. */
  void header(Optional<String> session, Optional<String> task) {
    String kind = task.isPresent() ? "task" : session.isPresent() ? "session" : "tenant";
    String madeAt = Instant.now(clock).truncatedTo(ChronoUnit.MILLIS).toString();
    Header header =
        stored
            .store()
            .read(
                tr -> {
                  int era = stored.log().era(tr, tenant);
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

  /** Takes out one session, with the workspace that it refers to. */
  void oneSession(Row row) {
    byte[] record = parts.read(SessionStore.SESSION, row.id()).orElseThrow();
    String workspace = Stored.parse(Session.parser(), record).getWorkspaceId();
    run.first(
        List.of(
            () -> workspace(workspace),
            () -> memories(row.id(), Optional.empty()),
            () -> session(row, "end:")));
  }

  /** Takes out the memories of a session, each with its log. */
  private void memories(String session, Optional<LogPosition> after) {
    List<Row> rows = parts.page(MemoryStore.MEMORY, RecordDef.BY_SESSION, session, after);
    List<Runnable> next = new ArrayList<>();
    rows.forEach(row -> next.add(() -> resource(MemoryStore.MEMORY, row)));
    parts.again(rows, next, place -> memories(session, Optional.of(place)));
    run.first(next);
  }

  /**
   * Takes out a resource with a stream of its own and nothing beside its record and its events, as
   * a part of a unit.
   */
  private void resource(RecordDef<?> kind, Row row) {
    stored
        .store()
        .read(tr -> ResourceHead.read(tr, stored, tenant, kind, kind.name(), row.id()))
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> run.record(kind, row, head.record(), false),
                        () -> events(head, row.id()),
                        () -> streamOf(head, kind.name(), row.id()))));
  }

  /** Takes out the events that a head reaches up to. */
  void events(ResourceHead head, String stream) {
    head.last().ifPresent(last -> parts.events(stream, Optional.empty(), last));
  }

  /** Adds what is kept of a resource's own stream. */
  void streamOf(ResourceHead head, String object, String id) {
    if (head.last().isPresent()) {
      stream(id, head.last(), floor(id), object, head.next());
    }
  }

  /** Takes out a session. */
  void session(Row row, String cursor) {
    Optional<SessionHead> read = heads.read(row.id(), Optional.empty());
    if (read.isEmpty()) {
      return; // Dropped by retention since.
    }
    SessionHead head = read.get();
    run.first(
        List.of(
            () -> parts.artifacts(head, RecordDef.BY_SESSION, row.id(), Optional.empty()),
            () -> parts.events(row.id(), Optional.empty(), head.highWater()),
            () -> parts.messages(head, Optional.empty(), Optional.empty()),
            () -> parts.tasks(head, Optional.empty()),
            () -> parts.branches(head, Optional.empty()),
            () ->
                head.transcript()
                    .ifPresent(bytes -> run.unlisted(Transcripts.TRANSCRIPT, row.id(), bytes)),
            () -> context.named(new StoredRecord<>(SessionStore.SESSION, row.id(), head.session())),
            () -> run.record(SessionStore.SESSION, row, head.record(), false),
            () -> sessionEnd(head, row.id(), cursor)));
  }

  private void sessionEnd(SessionHead head, String id, String cursor) {
    stream(id, Optional.of(head.highWater()), floor(id), "session", head.next());
    run.unitEnd("session", id, head.highWater().toString(), cursor);
  }

  /**
   * Returns a stream's floor. Asked for once its events have been read: whatever retention has
   * dropped before, or between two pages of them, lies below.
   */
  Optional<EventId> floor(String stream) {
    return stored.store().read(tr -> stored.log().floor(tr, tenant, stream));
  }

  /** Adds what is kept of a stream beside its events. */
  void stream(
      String stream, Optional<EventId> last, Optional<EventId> floor, String object, long next) {
    ExportedStream.Builder kept = ExportedStream.newBuilder().setStream(stream);
    last.ifPresent(id -> kept.setLastEventId(id.toString()));
    floor.ifPresent(id -> kept.setFloor(id.toString()));
    ExportedCounter own =
        ExportedCounter.newBuilder().setObject(object).setId(stream).setNext(next).build();
    run.stream(kept, next > 0 ? Optional.of(own) : Optional.empty());
  }

  /** Takes out a task, with the session and the workspace that it refers to. */
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
            .or(() -> parts.read(TaskStore.TASK, id))
            .map(bytes -> Stored.parse(TaskRecord.parser(), bytes))
            .orElseThrow(() -> ProtocolException.notFound("task", id));
    Row taskRow = context.row(TaskStore.TASK, RecordDef.BY_SESSION, session, id);
    List<Runnable> steps = new ArrayList<>();
    steps.add(() -> workspace(head.session().getWorkspaceId()));
    steps.add(
        () -> context.named(new StoredRecord<>(SessionStore.SESSION, session, head.session())));
    steps.add(() -> run.record(SessionStore.SESSION, sessionRow, head.record(), true));
    steps.add(() -> parts.artifacts(head, ArtifactStore.ARTIFACTS_BY_TASK, id, Optional.empty()));
    steps.add(() -> parts.taskEvents(session, id, 0, record.getNextSequence()));
    steps.add(() -> parts.messages(head, Optional.of(id), Optional.empty()));
    steps.add(() -> parts.task(head, taskRow));
    steps.add(() -> taskEnd(record, session));
    run.first(steps);
  }

  private void taskEnd(TaskRecord record, String session) {
    Optional<EventId> last = run.lastEvent();
    boolean whole = run.events() == record.getNextSequence();
    stream(session, last, whole ? Optional.empty() : floor(session), "session", 0);
    run.unitEnd("task", record.getTask().getId(), last.map(EventId::toString).orElse(""), "end:");
  }

  /** Takes out a workspace that a session refers to. */
  void workspace(String id) {
    context.one(WorkspaceStore.WORKSPACE, id);
  }
}
