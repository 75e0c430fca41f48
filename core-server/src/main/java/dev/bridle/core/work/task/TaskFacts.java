package dev.bridle.core.work.task;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.RunningSha256;
import dev.bridle.record.v1.ModelUse;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactList;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.CalledModel;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps the facts for a task's receipt as they come, so that the end of a task costs the same
 * however long it ran. At most {@value #MAX_LISTED} facts of a list and {@value #MAX_BYTES} bytes
 * in all are stored; of the others only their number, and the hash of the whole list. Not
 * thread-safe.
 */
public final class TaskFacts {
  /** The maximum number of stored facts of a list. */
  public static final int MAX_LISTED = 200;

  /** The maximum size of a task's stored facts, in bytes. */
  public static final long MAX_BYTES = 64 << 10;

  /** The part of these bytes that approvals and artifacts alone may use. */
  private static final long RESERVED_BYTES = 16 << 10;

  /** The maximum number of models; calls of further ones are only counted. */
  static final int MAX_MODELS = 16;

  private static final byte[] LINE_END = {'\n'};

  private final Write write;
  private final TaskFactStore store;
  private final TaskRecord.Builder record;

  TaskFacts(Write write, TaskFactStore store, TaskRecord.Builder record) {
    this.write = write;
    this.store = store;
    this.record = record;
  }

  /**
   * Adds a fact to a list.
   *
   * @param part the receipt's fragment, as canonical JSON
   * @param proof the commitment of the event that has what the fragment hides; empty if it hides
   *     nothing
   */
  public void add(TaskFactKind kind, ByteString part, ByteString proof) {
    TaskFactList.Builder list = list(kind);
    ByteString state = RunningSha256.append(list.getDigestState(), part.toByteArray());
    list.setDigestState(RunningSha256.append(state, LINE_END));
    store(
        list,
        TaskFactRecord.newBuilder()
            .setKey(String.format(Locale.ROOT, "%06d", list.getCount()))
            .setPart(part)
            .setProof(proof));
    list.setCount(list.getCount() + 1);
  }

  /** Adds or replaces the fact of an artifact, whose hash is known once it has content. */
  public void putArtifact(String id, ByteString part) {
    TaskFactKind kind = TaskFactKind.TASK_FACT_KIND_ARTIFACT;
    TaskFactList.Builder list = list(kind);
    Optional<TaskFactRecord> before =
        list.getListed() == 0
            ? Optional.empty()
            : store.find(write.tr(), write.tenant(), record.getTask().getId(), kind, id);
    if (before.isPresent()) {
      replace(before.get(), before.get().toBuilder().setPart(part).build());
    }
  }

  /** Adds the fact of a new artifact. */
  public void addArtifact(String id, ByteString part) {
    TaskFactList.Builder list = list(TaskFactKind.TASK_FACT_KIND_ARTIFACT);
    store(list, TaskFactRecord.newBuilder().setKey(id).setPart(part));
    list.setCount(list.getCount() + 1);
  }

  /**
   * Adds a call to the sums of its model.
   *
   * @param call what the one call used
   * @param proof the commitment of the event that has the reason of its route
   */
  public void addModelCall(ModelUse call, ByteString proof) {
    TaskFactKind kind = TaskFactKind.TASK_FACT_KIND_MODEL;
    TaskFactList.Builder list = list(kind);
    Optional<TaskFactRecord> before =
        list.getListed() == 0
            ? Optional.empty()
            : store.all(write.tr(), write.tenant(), record.getTask().getId(), kind).stream()
                .filter(fact -> same(fact.getModel().getModel(), call.getModel()))
                .findFirst();
    if (before.isPresent()) {
      ModelUse use = sum(before.get().getModel(), call);
      replace(before.get(), before.get().toBuilder().setModel(use).setProof(proof).build());
      return;
    }
    if (list.getListed() < MAX_MODELS) {
      store(
          list,
          TaskFactRecord.newBuilder()
              .setKey(String.format(Locale.ROOT, "%06d", list.getCount()))
              .setModel(call)
              .setProof(proof));
    }
    list.setCount(list.getCount() + 1);
  }

  private static boolean same(CalledModel one, CalledModel other) {
    return one.getProvider().equals(other.getProvider())
        && one.getModel().equals(other.getModel())
        && one.getVersion().equals(other.getVersion());
  }

  private static ModelUse sum(ModelUse before, ModelUse call) {
    return call.toBuilder()
        .setCalls(before.getCalls() + call.getCalls())
        .setInputTokens(TaskCounts.saturated(before.getInputTokens(), call.getInputTokens()))
        .setOutputTokens(TaskCounts.saturated(before.getOutputTokens(), call.getOutputTokens()))
        .setCostMicros(TaskCounts.saturated(before.getCostMicros(), call.getCostMicros()))
        .build();
  }

  private TaskFactList.Builder list(TaskFactKind kind) {
    return record.getFactListsBuilderList().stream()
        .filter(list -> list.getKind() == kind)
        .findFirst()
        .orElseGet(() -> record.addFactListsBuilder().setKind(kind));
  }

  private void store(TaskFactList.Builder list, TaskFactRecord.Builder made) {
    TaskFactRecord fact = made.setTaskId(record.getTask().getId()).setKind(list.getKind()).build();
    long bytes = record.getFactBytes() + fact.getSerializedSize();
    boolean first =
        list.getListed() == list.getCount(); // Only the first facts of a list are stored.
    if (first && list.getListed() < MAX_LISTED && bytes <= limit(list.getKind())) {
      store.put(write.tr(), write.tenant(), fact);
      list.setListed(list.getListed() + 1);
      record.setFactBytes(bytes);
    }
  }

  /**
   * A part is kept for what others than the agent report of the task, so that it can't crowd it
   * out.
   */
  private static long limit(TaskFactKind kind) {
    return switch (kind) {
      case TASK_FACT_KIND_APPROVAL, TASK_FACT_KIND_ARTIFACT -> MAX_BYTES;
      default -> MAX_BYTES - RESERVED_BYTES;
    };
  }

  /** Replaces a fact, if there is room for what it grew by. */
  private void replace(TaskFactRecord before, TaskFactRecord after) {
    long bytes = record.getFactBytes() - before.getSerializedSize() + after.getSerializedSize();
    TaskFactRecord kept =
        bytes <= MAX_BYTES
            ? after
            : after.toBuilder().setModel(after.getModel().toBuilder().clearAlternatives()).build();
    record.setFactBytes(
        record.getFactBytes() - before.getSerializedSize() + kept.getSerializedSize());
    store.put(write.tr(), write.tenant(), kept);
  }
}
