package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.work.receipt.ProvenEnd;
import dev.bridle.core.work.task.RecordedValues;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskReplay;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds the tasks of a unit of a file against their events, and the ended ones against their
 * receipts: a task whose receipt somebody has taken away proves nothing. Who has signed the
 * receipts is judged elsewhere. What it keeps is bounded by one unit. Not thread-safe.
 */
final class TaskProofs {
  private final ImportFaults faults;
  private final Map<String, Log> logs = new HashMap<>();
  private final Map<String, State> tasks = new HashMap<>();
  private final Map<String, ProvenEnd> receipts = new HashMap<>();

  /** The commitments of the values that the events say were recorded. */
  private final Map<StepKey, String> recorded = new HashMap<>();

  /** The tasks of which a value is there that no event has recorded. */
  private final Set<String> unsaid = new HashSet<>();

  /**
   * Begins with no unit.
   *
   * @param faults takes what is found
   */
  TaskProofs(ImportFaults faults) {
    this.faults = faults;
  }

  /**
   * The events of a task so far.
   *
   * @param next the number of the next event
   * @param whole whether all before it were there, each once and in their order
   * @param state the state of their digest
   */
  private record Log(long next, boolean whole, ByteString state) {
    private static final Log EMPTY = new Log(0, true, ByteString.EMPTY);

    Log plus(EventRecord event) {
      return new Log(
          Math.max(next, event.getSequence() + 1),
          whole && event.getSequence() == next,
          LogDigest.append(state, event));
    }

    ByteString digest() {
      return ByteString.copyFrom(LogDigest.finish(state));
    }
  }

  /**
   * What a task's record says, without what is not judged.
   *
   * @param task the task
   * @param events the number of its events
   * @param digest the digest of them
   */
  private record State(Task task, long events, ByteString digest) {
    static State of(TaskRecord record) {
      Task task = record.getTask();
      Task.Builder judged =
          Task.newBuilder()
              .setId(task.getId())
              .setStatus(task.getStatus())
              .setReceiptId(task.getReceiptId());
      if (task.hasReplay()) {
        judged.setReplay(TaskReplay.getDefaultInstance());
      }
      return new State(
          judged.build(),
          record.getNextSequence(),
          ByteString.copyFrom(LogDigest.finish(record.getLogDigestState())));
    }
  }

  private record StepKey(String task, String step) {}

  /** Adds the next event of a task. */
  void event(EventRecord event) {
    logs.put(event.getTaskId(), logs.getOrDefault(event.getTaskId(), Log.EMPTY).plus(event));
  }

  /** An event says that a value was recorded. */
  void recorded(String task, String step, String commitment) {
    recorded.put(new StepKey(task, step), commitment);
  }

  /** Adds a step, after the events of its task. */
  void step(String task, String key, StepRecord step) {
    Optional<String> said = Optional.ofNullable(recorded.get(new StepKey(task, key)));
    boolean isAsSaid =
        said.map(commitment -> commitment.equals(Commitment.spell(step.getCommitment())))
            .orElse(true);
    if (!isAsSaid || !RecordedValues.isCommitted(step)) {
      faults.found(
          "the recorded value of the step '"
              + key
              + "' of "
              + task
              + " is not the one that was committed to");
    }
    if (said.isEmpty() && step.getStep().hasValue() && !step.getSalt().isEmpty()) {
      unsaid.add(task);
    }
  }

  /** Adds a task, after its events and steps. */
  void task(TaskRecord task) {
    tasks.put(task.getTask().getId(), State.of(task));
  }

  /** Adds a receipt. */
  void receipt(Receipt receipt) {
    ProvenEnd.of(receipt).ifPresent(end -> receipts.put(end.receiptId(), end));
  }

  /** Ends the unit. */
  void endOfUnit() {
    Set<String> ended =
        receipts.values().stream().map(ProvenEnd::taskId).collect(Collectors.toUnmodifiableSet());
    tasks.forEach((id, state) -> judge(id, state, ended));
    logs.keySet().stream().filter(id -> !tasks.containsKey(id)).forEach(faults::unproven);
    logs.clear();
    tasks.clear();
    receipts.clear();
    recorded.clear();
    unsaid.clear();
  }

  private void judge(String id, State state, Set<String> ended) {
    Log log = logs.getOrDefault(id, Log.EMPTY);
    boolean isWhole = log.whole() && log.next() == state.events();
    if (isWhole && !log.digest().equals(state.digest())) {
      faults.found("the record of the task " + id + " is about other events than it has");
      return;
    }
    if (isWhole && unsaid.contains(id) && !state.task().hasReplay()) {
      faults.found("the task " + id + " has a value that no event of it has recorded");
      return;
    }
    if (!TaskLifecycle.terminal(state.task().getStatus())) {
      // The receipt that it gets here says where its log comes from.
      if (!state.task().getReceiptId().isEmpty() || ended.contains(id)) {
        faults.found("the task " + id + " is live, and has the receipt of its end");
      }
      return;
    }
    Optional<ProvenEnd> end = Optional.ofNullable(receipts.get(state.task().getReceiptId()));
    if (end.isPresent() && !end.get().isOf(state.task())) {
      faults.found("the task " + id + " did not end as its receipt says");
    } else if (!isWhole || end.flatMap(ProvenEnd::logSha256).isEmpty()) {
      faults.unproven(id);
    } else if (!end.get().isOfLog(log.next(), log.digest())) {
      faults.found("the events of the task " + id + " are not those that its receipt proves");
    }
  }
}
