package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.redaction.PendingErasure.Piece;
import dev.bridle.core.work.redaction.RedactionPlan.Step;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.PendingContent;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventPage;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Erases everything of an ended task, piece by piece: what its records say, whether its events are
 * still there or not, then its events and steps. Nothing is added to them meanwhile; to artifacts
 * and forked sessions something may be.
 */
final class TaskErasure {
  private static final int ROWS_AT_ONCE = 50;
  private static final int EVENTS_AT_ONCE = 100;
  private static final long BYTES_AT_ONCE = 1L << 20;

  private final CoreContext context;
  private final Erasure erasure;
  private final PendingErasure pending;
  private final TaskStore tasks;
  private final StepStore steps;

  TaskErasure(CoreContext context, Erasure erasure, PendingErasure pending) {
    this.context = context;
    this.erasure = erasure;
    this.pending = pending;
    this.tasks = new TaskStore(context.layout());
    this.steps = new StepStore(context.layout());
  }

  /**
   * The kinds of content, by their numbers in storage. Steps come first: they get no marks, by
   * which an export that has read them notices that content was redacted meanwhile.
   */
  private enum Phase {
    STEPS,
    PERMISSIONS,
    GRANTS,
    ARTIFACTS,
    MESSAGES,
    EVENTS,
    LATE_EVENTS
  }

  /**
   * What a piece is part of.
   *
   * @param at the content, and how far it is erased
   * @param record the task
   */
  private record Part(Write write, PendingContent at, TaskRecord record, String redactionId) {
    String task() {
      return record.getTask().getId();
    }

    String session() {
      return record.getTask().getSessionId();
    }

    ReadTransaction snapshot() {
      return write.tr().snapshot();
    }

    Optional<byte[]> position() {
      return at.getCursor().isEmpty()
          ? Optional.empty()
          : Optional.of(at.getCursor().toByteArray());
    }

    Target target(String object, String id) {
      return new Target(object, id, session(), task());
    }

    PendingContent from(ByteString cursor) {
      return at.toBuilder().setCursor(cursor).build();
    }

    /** Returns what is left of the task once this kind of content is erased. */
    List<PendingContent> nextPhase() {
      return at.getPhase() + 1 == Phase.values().length
          ? List.of()
          : List.of(at.toBuilder().setPhase(at.getPhase() + 1).clearCursor().build());
    }
  }

  Piece erase(Write write, PendingContent at, String redactionId) {
    Optional<TaskRecord> found = tasks.find(write.tr(), write.tenant(), at.getId());
    if (found.isEmpty()) {
      return new Piece(List.of(), List.of());
    }
    Part part = new Part(write, at, found.get(), redactionId);
    return switch (Phase.values()[at.getPhase()]) {
      case PERMISSIONS ->
          indexed(
              part,
              RedactionStore.PERMISSION_REQUEST,
              PermissionStore.PERMISSION.store(context.layout()),
              PermissionStore.PERMISSIONS_BY_TASK);
      case GRANTS -> grants(part);
      case ARTIFACTS ->
          indexed(
              part,
              RedactionStore.ARTIFACT,
              ArtifactStore.ARTIFACT.store(context.layout()),
              ArtifactStore.ARTIFACTS_BY_TASK);
      case MESSAGES -> messages(part);
      case EVENTS -> events(part);
      case LATE_EVENTS -> lateEvents(part);
      case STEPS -> steps(part);
    };
  }

  private Piece indexed(Part part, String object, RecordStore<?> store, int index) {
    List<IndexRow> rows =
        store.page(
            part.snapshot(),
            part.write().tenant(),
            index,
            part.task(),
            part.position(),
            ROWS_AT_ONCE,
            false);
    return piece(
        part,
        rows.stream().map(row -> part.target(object, row.id())).toList(),
        last(rows, ROWS_AT_ONCE).map(row -> ByteString.copyFrom(row.position())));
  }

  private Piece grants(Part part) {
    List<Target> targets =
        new GrantStore(context.layout())
            .ofSession(part.snapshot(), part.write().tenant(), part.session()).stream()
                .filter(record -> record.getGrant().getTaskId().equals(part.task()))
                .map(
                    record ->
                        part.target(RedactionStore.PERMISSION_GRANT, record.getGrant().getId()))
                .toList();
    return piece(part, targets, Optional.empty());
  }

  /** The task's messages are among those of its session. */
  private Piece messages(Part part) {
    RecordStore<Message> store = MessageStore.MESSAGE.store(context.layout());
    List<IndexRow> rows =
        store.page(
            part.snapshot(),
            part.write().tenant(),
            MessageStore.MESSAGES_BY_SESSION,
            part.session(),
            part.position(),
            ROWS_AT_ONCE,
            false);
    List<Target> targets = new ArrayList<>();
    long bytes = 0;
    for (IndexRow row : rows) {
      Optional<Message> message = store.get(part.snapshot(), part.write().tenant(), row.id());
      ByteString here = ByteString.copyFrom(row.position());
      if (message.filter(one -> one.getTaskId().equals(part.task())).isPresent()) {
        targets.add(part.target(RedactionStore.MESSAGE, row.id()));
        List<IndexRow> copies =
            Copies.of(part.write().tr(), context, part.write().tenant(), row.id());
        if (copies.size() > Copies.MAX_AT_ONCE) {
          PendingContent first =
              PendingContent.newBuilder().setObject(RedactionStore.MESSAGE).setId(row.id()).build();
          return new Piece(applied(part, targets), List.of(first, part.from(here)));
        }
        targets.addAll(pending.targets(part.write(), copies));
      }
      bytes += message.map(Message::getSerializedSize).orElse(0);
      if (bytes > BYTES_AT_ONCE || targets.size() > ROWS_AT_ONCE) {
        return piece(part, targets, Optional.of(here));
      }
    }
    return piece(
        part, targets, last(rows, ROWS_AT_ONCE).map(row -> ByteString.copyFrom(row.position())));
  }

  private Piece events(Part part) {
    long from = part.at().getCursor().isEmpty() ? 0 : number(part.at().getCursor());
    EventPage page =
        context
            .log()
            .readTask(
                part.snapshot(),
                part.write().tenant(),
                part.session(),
                part.task(),
                from,
                EVENTS_AT_ONCE,
                BYTES_AT_ONCE);
    OptionalLong last =
        page.events().stream().mapToLong(stored -> TaskContent.event(stored).getSequence()).max();
    return piece(
        part,
        page.events().stream().map(stored -> event(part, stored)).toList(),
        last.isEmpty()
            ? Optional.empty()
            : Optional.of(ByteString.copyFromUtf8(Long.toString(last.getAsLong() + 1))));
  }

  private static long number(ByteString cursor) {
    return Long.parseLong(cursor.toStringUtf8());
  }

  private static Target event(Part part, StoredEvent stored) {
    return part.target(RedactionStore.EVENT, stored.id().toString());
  }

  /** Events about the task's artifacts that came after its end belong to the session alone. */
  private Piece lateEvents(Part part) {
    if (!hasArtifacts(part)) {
      return new Piece(List.of(), part.nextPhase());
    }
    Optional<EventId> after =
        part.at().getCursor().isEmpty()
            ? context
                .log()
                .taskEventId(
                    part.snapshot(),
                    part.write().tenant(),
                    part.task(),
                    part.record().getNextSequence() - 1)
            : EventId.parse(part.at().getCursor().toStringUtf8());
    EventPage page =
        context
            .log()
            .readStream(
                part.snapshot(),
                part.write().tenant(),
                part.session(),
                after,
                EVENTS_AT_ONCE,
                BYTES_AT_ONCE);
    boolean more = page.cut() || page.events().size() == EVENTS_AT_ONCE;
    return piece(
        part,
        page.events().stream()
            .filter(stored -> isOfArtifact(part, TaskContent.event(stored)))
            .map(stored -> event(part, stored))
            .toList(),
        more
            ? last(page.events(), 0).map(stored -> ByteString.copyFromUtf8(stored.id().toString()))
            : Optional.empty());
  }

  private boolean hasArtifacts(Part part) {
    return !ArtifactStore.ARTIFACT
        .store(context.layout())
        .page(
            part.snapshot(),
            part.write().tenant(),
            ArtifactStore.ARTIFACTS_BY_TASK,
            part.task(),
            Optional.empty(),
            1,
            false)
        .isEmpty();
  }

  private boolean isOfArtifact(Part part, EventRecord event) {
    return event.getTaskId().isEmpty()
        && event.getResourceObject().equals(RedactionStore.ARTIFACT)
        && PlannedContent.OF_ARTIFACTS.contains(event.getEvent())
        && ArtifactStore.ARTIFACT
            .store(context.layout())
            .get(part.snapshot(), part.write().tenant(), event.getResourceId())
            .filter(record -> record.getArtifact().getTaskId().equals(part.task()))
            .isPresent();
  }

  private Piece steps(Part part) {
    StepStore.Page page =
        steps.list(
            part.snapshot(),
            part.write().tenant(),
            part.task(),
            part.at().getCursor().toStringUtf8(),
            EVENTS_AT_ONCE,
            BYTES_AT_ONCE);
    ErasedContent erased = new ErasedContent(part.redactionId());
    List<String> keys =
        page.records().stream()
            .map(record -> TaskContent.stepRecord(record).getStep().getStepKey())
            .toList();
    keys.forEach(key -> erasure.step(part.write(), new Step(part.task(), key), erased));
    return piece(
        part,
        List.of(),
        page.more() ? last(keys, 0).map(ByteString::copyFromUtf8) : Optional.empty());
  }

  private List<Target> applied(Part part, List<Target> targets) {
    return erasure.apply(part.write(), targets, part.redactionId());
  }

  /**
   * Erases the targets of a piece.
   *
   * @param next where the kind of content continues; empty: all of it is erased
   */
  private Piece piece(Part part, List<Target> targets, Optional<ByteString> next) {
    return new Piece(
        applied(part, targets),
        next.map(cursor -> List.of(part.from(cursor))).orElseGet(part::nextPhase));
  }

  /** Returns the last row of a page, if it is full. */
  private static <T> Optional<T> last(List<T> rows, int full) {
    return rows.isEmpty() || rows.size() < full
        ? Optional.empty()
        : Optional.of(rows.get(rows.size() - 1));
  }
}
