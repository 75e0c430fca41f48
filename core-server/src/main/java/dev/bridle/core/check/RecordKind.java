package dev.bridle.core.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.bridle.message.v1.Message;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.workspace.v1.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of record: how it is read, which id it names, and which index rows it has.
 *
 * @param number the kind's number in keys
 * @param name what one is called
 * @param parser reads one
 * @param id the id that one names; empty where it names none
 * @param indexes the index rows that one has
 */
record RecordKind(
    long number,
    String name,
    Parser<? extends MessageLite> parser,
    Function<MessageLite, String> id,
    Function<MessageLite, List<Entry>> indexes) {
  static final RecordKind KEY =
      kind(1, "API key", ApiKeyRecord.parser(), ApiKeyRecord::getId, key -> List.of(all()));
  static final RecordKind WORKSPACE =
      kind(2, "workspace", Workspace.parser(), Workspace::getId, workspace -> List.of(all()));
  static final RecordKind SESSION =
      kind(
          3,
          "session",
          Session.parser(),
          Session::getId,
          session -> List.of(all(), new Entry(1, session.getWorkspaceId())));
  static final RecordKind MESSAGE =
      kind(
          4,
          "message",
          Message.parser(),
          Message::getId,
          message -> List.of(new Entry(0, message.getSessionId())));
  static final RecordKind ARTIFACT =
      kind(
          5,
          "artifact",
          ArtifactRecord.parser(),
          record -> record.getArtifact().getId(),
          RecordKind::ofArtifact);
  static final RecordKind OUTCOME =
      kind(
          6,
          "outcome",
          OutcomeRecord.parser(),
          record -> record.getOutcome().getId(),
          record -> ofOutcome(record.getOutcome()));
  static final RecordKind TASK =
      kind(
          10,
          "task",
          TaskRecord.parser(),
          record -> record.getTask().getId(),
          record -> ofTask(record.getTask()));
  static final RecordKind TASK_INPUT =
      kind(11, "task input", TaskInput.parser(), input -> "", input -> List.of());
  static final RecordKind WORKER =
      kind(12, "worker", WorkerRecord.parser(), WorkerRecord::getAgentId, agent -> List.of(all()));

  private static final Map<Long, RecordKind> KINDS =
      Stream.of(KEY, WORKSPACE, SESSION, MESSAGE, ARTIFACT, OUTCOME, TASK, TASK_INPUT, WORKER)
          .collect(Collectors.toUnmodifiableMap(RecordKind::number, kind -> kind));

  /**
   * An index row that a record has.
   *
   * @param index the index's number
   * @param value the value that it tells records apart by
   */
  record Entry(long index, String value) {}

  static Optional<RecordKind> of(long number) {
    return Optional.ofNullable(KINDS.get(number));
  }

  Optional<MessageLite> parse(byte[] bytes) {
    try {
      return Optional.of(parser.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  private static List<Entry> ofTask(Task task) {
    return List.of(all(), new Entry(1, task.getWorkspaceId()), new Entry(2, task.getSessionId()));
  }

  private static List<Entry> ofOutcome(Outcome outcome) {
    return List.of(all(), new Entry(1, outcome.getTaskId()));
  }

  private static List<Entry> ofArtifact(ArtifactRecord record) {
    var artifact = record.getArtifact();
    List<Entry> entries = new ArrayList<>();
    entries.add(all());
    entries.add(new Entry(1, artifact.getWorkspaceId()));
    if (artifact.hasSessionId()) {
      entries.add(new Entry(2, artifact.getSessionId()));
    }
    if (artifact.hasTaskId()) {
      entries.add(new Entry(3, artifact.getTaskId()));
    }
    return entries;
  }

  private static Entry all() {
    return new Entry(0, "");
  }

  @SuppressWarnings("unchecked") // Only what the kind's own parser made is given to its functions.
  private static <M extends MessageLite> RecordKind kind(
      long number,
      String name,
      Parser<M> parser,
      Function<M, String> id,
      Function<M, List<Entry>> indexes) {
    return new RecordKind(
        number,
        name,
        parser,
        message -> id.apply((M) message),
        message -> indexes.apply((M) message));
  }
}
