package dev.bridle.core.operations.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.log.EventCheck;
import dev.bridle.core.operations.check.log.EventFolds;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.operations.check.receipt.TaskReceiptsCheck;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.core.operations.check.rule.IdempotencyRows;
import dev.bridle.core.operations.check.task.OutcomeOfTaskCheck;
import dev.bridle.core.operations.check.task.TaskConsistencyCheck;
import dev.bridle.core.operations.check.walk.Survey;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.task.v1.Task;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Adds each row to the proofs, parsed once. */
final class RowProofs implements Survey.Look {
  private static final long STEPS = 1;
  private static final long PLACE = 2;

  private final KeyValueStore store;
  private final Rows rows;
  private final Catalog catalog;
  private final int partitions;
  private final Proofs proofs;
  private final EventFolds folds;
  private final Set<String> referredTo;
  private String taskWithSteps = "";

  RowProofs(KeyValueStore store, Rows rows, Catalog catalog, int partitions, Proofs proofs) {
    this.store = store;
    this.rows = rows;
    this.catalog = catalog;
    this.partitions = partitions;
    this.proofs = proofs;
    this.folds = new EventFolds(rows, proofs);
    this.referredTo =
        catalog.all().stream()
            .flatMap(kind -> kind.referredTo().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Ends what depends on the order of the rows. */
  void end() {
    folds.end();
  }

  @Override
  public void at(Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    if (key.system().isPresent()) {
      if (key.system().get() == SystemSpace.DUE) {
        due(key);
      }
      return;
    }
    String tenant = key.tenant();
    switch (key.space().orElseThrow()) {
      case RECORD -> {
        if (key.items().size() == 2) {
          record(tenant, row);
        }
      }
      case INDEX -> index(tenant, row);
      case EVENT -> event(tenant, row, inOrder);
      case TASK_EVENT -> {
        long task = Proofs.hash(tenant, key.text(0));
        proofs.pointers().see(task, Proofs.pointer(task, key.number(1), row.value()));
      }
      case FEED -> feed(tenant, row);
      case LAST_EVENT -> {
        long stream = Proofs.hash(tenant, key.text(0));
        proofs.newest().see(stream, RowHash.of(stream).add(row.value()).end());
      }
      case SEQUENCE -> counter(tenant, row);
      case STEP -> {
        if (key.items().size() == 2) {
          inOrder.add(() -> step(tenant, key.text(0)));
        }
      }
      case QUEUE_PLACE -> {
        long task = Proofs.hash(tenant, key.text(0));
        proofs.tasks().see(task, RowHash.of(task).add(PLACE).end());
      }
      case IDEMPOTENCY -> idempotency(tenant, row);
      default -> {}
    }
  }

  private void due(RowKey key) {
    Optional<DueKind> kind = DueKind.find(key.number(2));
    if (kind.isPresent() && kind.get() != DueKind.UPLOAD) {
      DueEntry entry = new DueEntry(key.number(1), kind.get(), key.text(3), key.text(4));
      long hash = Proofs.due(key.number(0), entry);
      proofs.due().see(hash, hash);
    }
  }

  private void expectDue(DueEntry entry) {
    long hash = Proofs.entry(entry);
    proofs.due().expect(hash, hash);
  }

  private Optional<byte[]> whole(Row row) {
    byte[] value = row.value();
    return rows.furtherRows(value) == 0
        ? Optional.of(Arrays.copyOfRange(value, 1, value.length))
        : store.read(tr -> rows.whole(tr, row.raw(), value));
  }

  private void record(String tenant, Row row) {
    String id = row.key().text(1);
    Optional<RecordDef<?>> kind = catalog.find(row.key().number(0));
    Optional<? extends StoredRecord<?>> read =
        kind.isEmpty() ? Optional.empty() : whole(row).flatMap(value -> kind.get().read(id, value));
    if (read.isEmpty()) {
      return; // RecordsCheck reports it.
    }
    StoredRecord<?> record = read.get();
    for (Entry entry : record.entries()) {
      long hash = Proofs.entry(tenant, kind.get().number(), entry, id);
      proofs.index().expect(hash, hash);
    }
    record.dueEntries(tenant).forEach(this::expectDue);
    if (referredTo.contains(kind.get().name())) {
      proofs.known().add(Proofs.record(tenant, kind.get().name(), id), record.place());
    }
    if (record.record() instanceof TaskRecord task && kind.get().equals(TaskStore.TASK)) {
      task(tenant, task);
    } else if (record.record() instanceof OutcomeRecord outcome
        && kind.get().equals(OutcomeStore.OUTCOME)) {
      Outcome of = outcome.getOutcome();
      long hash = Proofs.hash(tenant, of.getTaskId());
      proofs.outcomes().see(hash, outcome(hash, id, of.getStatusValue()));
    } else {
      TaskReceiptsCheck.see(proofs, tenant, record);
    }
  }

  private void task(String tenant, TaskRecord record) {
    Task task = record.getTask();
    long hash = Proofs.hash(tenant, task.getId());
    proofs.tasks().expect(hash, EventFolds.state(hash, record));
    if (record.getHasSteps()) {
      proofs.tasks().expect(hash, RowHash.of(hash).add(STEPS).end());
    }
    TaskReceiptsCheck.expect(proofs, tenant, record);
    boolean ended = TaskLifecycle.terminal(task.getStatus());
    if (!ended || !TaskConsistencyCheck.quiet(record)) {
      proofs.tasks().doubt(hash); // What it waits for is looked up.
    } else {
      int status = OutcomeOfTaskCheck.status(task.getStatus()).getNumber();
      proofs.outcomes().expect(hash, outcome(hash, task.getOutcomeId(), status));
    }
  }

  private static long outcome(long task, String id, int status) {
    return RowHash.of(task).add(id).add(status).end();
  }

  private void index(String tenant, Row row) {
    RowKey key = row.key();
    Optional<RecordDef<?>> kind = catalog.find(key.number(0));
    Optional<String> id = rows.text(row.value());
    if (kind.isEmpty() || id.isEmpty()) {
      proofs.index().doubt(RowHash.of(tenant).add(row.raw()).end());
      return;
    }
    Entry entry = new Entry(key.number(1), key.text(2));
    long hash = Proofs.entry(tenant, kind.get().number(), entry, id.get());
    proofs.index().see(hash, hash);
  }

  private void event(String tenant, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    String stream = key.text(0);
    if (key.items().size() > 3) {
      Chunks chunks = new Chunks(rows, tenant);
      if (store.read(tr -> chunks.check(tr, row, stream)).isPresent()) {
        proofs.events().doubt(Proofs.hash(tenant, stream));
      }
      return;
    }
    EventId id = rows.eventId(key.number(1), key.stamp(2), rows.partitionOf(stream, partitions));
    byte[] value = rows.value(id);
    long hash = Proofs.feed(tenant, stream, value);
    proofs.feed().expect(hash, hash);
    Optional<EventRecord> parsed = whole(row).flatMap(RowProofs::parse);
    if (parsed.isEmpty() || !committed(parsed.get())) {
      proofs.events().doubt(Proofs.hash(tenant, stream));
    }
    parsed.ifPresent(
        event -> {
          if (EventCheck.ofTask(event)) {
            long task = Proofs.hash(tenant, event.getTaskId());
            proofs.pointers().expect(task, Proofs.pointer(task, event.getSequence(), value));
          }
          inOrder.add(() -> folds.add(tenant, stream, id, event));
        });
  }

  private static boolean committed(EventRecord event) {
    // What is redacted has no salt, and is looked at one by one.
    return !event.getSalt().isEmpty()
        && Commitment.of(event.getSalt().toByteArray(), event.getPayload())
            .equals(event.getCommitment());
  }

  private static Optional<EventRecord> parse(byte[] value) {
    try {
      return Optional.of(EventRecord.parseFrom(value));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  private void feed(String tenant, Row row) {
    RowKey key = row.key();
    long partition = key.number(0);
    Optional<String> stream =
        rows.text(row.value()).filter(is -> rows.partitionOf(is, partitions) == partition);
    if (stream.isEmpty()) {
      proofs.feed().doubt(RowHash.of(tenant).add(row.raw()).end());
      return;
    }
    EventId id = rows.eventId(key.number(1), key.stamp(2), (int) partition);
    long hash = Proofs.feed(tenant, stream.get(), rows.value(id));
    proofs.feed().see(hash, hash);
  }

  private void counter(String tenant, Row row) {
    long hash = Proofs.resource(tenant, row.key().text(0), row.key().text(1));
    if (row.value().length == Long.BYTES) {
      long next = ByteBuffer.wrap(row.value()).getLong();
      proofs.counters().see(hash, RowHash.of(hash).add(next).end());
    } else {
      proofs.counters().doubt(hash);
    }
  }

  private void step(String tenant, String task) {
    String of = tenant + "/" + task;
    if (!of.equals(taskWithSteps)) {
      taskWithSteps = of;
      long hash = Proofs.hash(tenant, task);
      proofs.tasks().see(hash, RowHash.of(hash).add(STEPS).end());
    }
  }

  private void idempotency(String tenant, Row row) {
    if (row.key().items().size() == 2) {
      whole(row)
          .flatMap(IdempotencyRows::parse)
          .ifPresent(
              command ->
                  expectDue(
                      new DueEntry(
                          command.getExpiresAt(), DueKind.IDEMPOTENCY, tenant, row.key().text(0))));
    }
  }
}
