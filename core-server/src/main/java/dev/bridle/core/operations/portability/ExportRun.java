package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.portability.file.BlockWriter;
import dev.bridle.core.operations.portability.file.Counts;
import dev.bridle.core.operations.portability.file.UnitEnd;
import dev.bridle.proof.hash.ChainedSha256;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedCounter;
import dev.bridle.record.v1.ExportedEvent;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.record.v1.ExportedStream;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A running export, which is a stack of small steps. Each step makes one bounded read, appends the
 * result to the file, and may push further steps. So an export needs memory for a few pages,
 * however large it is. Not thread-safe.
 */
final class ExportRun {
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private final BlockWriter out;
  private final ResumePoints points;
  private final boolean isWhole;
  private final boolean isResumed;
  private final Map<String, ExportedCounter> counted = new TreeMap<>();
  private Counts counts = Counts.NONE;
  private Optional<EventId> lastEvent = Optional.empty();

  private ExportRun(ResumePoints points, ChainedSha256 before, boolean isWhole, boolean isResumed) {
    this.points = points;
    this.out = new BlockWriter(before);
    this.isWhole = isWhole;
    this.isResumed = isResumed;
  }

  /** Begins a file. */
  static ExportRun begin(ResumePoints points) {
    return new ExportRun(points, new ChainedSha256(), true, false);
  }

  /**
   * Resumes a file.
   *
   * @param before the hash of its blocks so far; empty if nothing shows that this installation has
   *     sent them
   */
  static ExportRun resume(ResumePoints points, Optional<ChainedSha256> before) {
    boolean isSent = before.isPresent();
    return new ExportRun(points, before.orElseGet(ChainedSha256::new), isSent, isSent);
  }

  /** Returns whether this goes on after blocks that this installation has sent. */
  boolean isResumed() {
    return isResumed;
  }

  /** Returns the hash of all blocks of the file; empty if this has not sent all of them. */
  Optional<Sha256> blocks() {
    return isWhole ? Optional.of(out.blocks()) : Optional.empty();
  }

  /** Returns the next piece of the file; empty at its end. */
  Optional<byte[]> next() {
    Optional<byte[]> piece = out.poll();
    while (piece.isEmpty() && !steps.isEmpty()) {
      steps.pop().run();
      piece = out.poll();
    }
    return piece;
  }

  /** Pushes steps, which run in their order before all pending ones. */
  void first(List<Runnable> next) {
    for (int i = next.size() - 1; i >= 0; i--) {
      steps.push(next.get(i));
    }
  }

  /** Adds a complete block, or the file's magic bytes. */
  void whole(byte[] block) {
    out.addWhole(block);
  }

  void entry(ExportEntry.Builder entry) {
    out.add(entry.build());
  }

  void record(RecordDef<?> kind, RecordRows.Row row, byte[] record, boolean context) {
    add(kind, row.id(), ByteString.copyFrom(row.place().toBytes()), record, context);
  }

  /** Adds a record that is in no index. */
  void unlisted(RecordDef<?> kind, String id, byte[] record) {
    add(kind, id, ByteString.EMPTY, record, false);
  }

  /** Adds a record that is in no index, for an import where there is none under its id. */
  void unlistedContext(RecordDef<?> kind, String id, byte[] record) {
    add(kind, id, ByteString.EMPTY, record, true);
  }

  private void add(RecordDef<?> kind, String id, ByteString order, byte[] record, boolean context) {
    counts = counts.plus(new Counts(1, 0, 0, 0));
    entry(
        ExportEntry.newBuilder()
            .setRecord(
                ExportedRecord.newBuilder()
                    .setKind(kind.number())
                    .setId(id)
                    .setOrder(order)
                    .setRecord(UnsafeByteOperations.unsafeWrap(record))
                    .setContext(context)));
  }

  void liveTask() {
    counts = counts.plus(new Counts(0, 0, 0, 1));
  }

  /** Adds an event, and records the counter of its resource unless that is a task. */
  void event(StoredEvent event) {
    EventRecord record = TransferStores.parse(EventRecord.parser(), event.body());
    if (record.getTaskId().isEmpty()) {
      ExportedCounter.Builder counter =
          ExportedCounter.newBuilder()
              .setObject(record.getResourceObject())
              .setId(record.getResourceId())
              .setNext(record.getSequence() + 1);
      counted.put(counter.getObject() + "/" + counter.getId(), counter.build());
    }
    counts = counts.plus(new Counts(0, 1, 0, 0));
    lastEvent = Optional.of(event.id());
    entry(
        ExportEntry.newBuilder()
            .setEvent(
                ExportedEvent.newBuilder()
                    .setId(event.id().toString())
                    .setStream(event.stream())
                    .setBody(UnsafeByteOperations.unsafeWrap(event.body()))));
  }

  /** Returns the number of events in the current unit. */
  long events() {
    return counts.events();
  }

  /** Returns the last event of the current unit. */
  Optional<EventId> lastEvent() {
    return lastEvent;
  }

  void chunk(String blob, long number, byte[] data) {
    counts = counts.plus(new Counts(0, 0, 1, 0));
    entry(
        ExportEntry.newBuilder()
            .setChunk(
                ExportedChunk.newBuilder()
                    .setBlob(blob)
                    .setNumber(number)
                    .setData(UnsafeByteOperations.unsafeWrap(data))));
  }

  void step(String task, LiveTask.Step step) {
    entry(
        ExportEntry.newBuilder()
            .setStep(
                ExportedStep.newBuilder()
                    .setTask(task)
                    .setStepKey(step.key())
                    .setRecord(step.record())));
  }

  /**
   * Adds a stream's metadata: newest event, floor and counters.
   *
   * @param own the counter of the stream's own resource, in addition to those of the added events
   */
  void stream(ExportedStream.Builder stream, Optional<ExportedCounter> own) {
    own.ifPresent(counter -> counted.put(counter.getObject() + "/" + counter.getId(), counter));
    entry(ExportEntry.newBuilder().setStream(stream.addAllCounters(counted.values())));
  }

  /** Ends a unit. */
  void unitEnd(String unit, String id, String highWater, String cursor) {
    UnitEnd end = new UnitEnd(unit, id, highWater, cursor, counts, Optional.empty());
    out.addWhole((isWhole ? points.at(end, out.blocks()) : end).block());
    counts = Counts.NONE;
    lastEvent = Optional.empty();
    counted.clear();
  }
}
