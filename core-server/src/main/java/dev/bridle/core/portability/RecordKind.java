package dev.bridle.core.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.message.v1.Message;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of records that are exported, with their numbers in keys, and the rows of indexes that
 * follow from a record.
 */
enum RecordKind {
  WORKSPACE(2),
  SESSION(3),
  MESSAGE(4),
  ARTIFACT(5),
  OUTCOME(6),
  TASK(10),
  TASK_INPUT(11);

  /** The index of all records of a kind. */
  static final int ALL = 0;

  /** The messages of a session. */
  static final int MESSAGES_BY_SESSION = 0;

  static final int BY_WORKSPACE = 1;

  /** The tasks, or the artifacts, of a session. */
  static final int BY_SESSION = 2;

  static final int ARTIFACTS_BY_TASK = 3;
  static final int OUTCOMES_BY_TASK = 1;

  private final int number;

  RecordKind(int number) {
    this.number = number;
  }

  /**
   * An index that a record stands in.
   *
   * @param index its number
   * @param value the value that it tells records apart by
   */
  record Place(int index, String value) {}

  int number() {
    return number;
  }

  static Optional<RecordKind> of(int number) {
    return Arrays.stream(values()).filter(kind -> kind.number == number).findFirst();
  }

  /** Returns the indexes that a record stands in. */
  List<Place> places(byte[] record) throws InvalidProtocolBufferException {
    List<Place> places = new ArrayList<>();
    if (this != MESSAGE && this != TASK_INPUT) {
      places.add(new Place(ALL, ""));
    }
    switch (this) {
      case SESSION ->
          places.add(new Place(BY_WORKSPACE, Session.parseFrom(record).getWorkspaceId()));
      case MESSAGE ->
          places.add(new Place(MESSAGES_BY_SESSION, Message.parseFrom(record).getSessionId()));
      case OUTCOME -> {
        Outcome outcome = OutcomeRecord.parseFrom(record).getOutcome();
        places.add(new Place(OUTCOMES_BY_TASK, outcome.getTaskId()));
      }
      case TASK -> {
        Task task = TaskRecord.parseFrom(record).getTask();
        places.add(new Place(BY_WORKSPACE, task.getWorkspaceId()));
        places.add(new Place(BY_SESSION, task.getSessionId()));
      }
      case ARTIFACT -> artifact(ArtifactRecord.parseFrom(record).getArtifact(), places);
      case WORKSPACE, TASK_INPUT -> {}
    }
    return places;
  }

  private static void artifact(Artifact artifact, List<Place> places) {
    places.add(new Place(BY_WORKSPACE, artifact.getWorkspaceId()));
    if (artifact.hasSessionId()) {
      places.add(new Place(BY_SESSION, artifact.getSessionId()));
    }
    if (artifact.hasTaskId()) {
      places.add(new Place(ARTIFACTS_BY_TASK, artifact.getTaskId()));
    }
  }
}
