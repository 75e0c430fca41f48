package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.Place;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.core.kernel.record.StoredRecord;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.log.EventFolds;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.operations.check.receipt.TaskReceiptsCheck;
import dev.bridle.core.operations.check.task.OutcomeOfTaskCheck;
import dev.bridle.core.operations.check.task.TaskConsistencyCheck;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.task.v1.Task;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Adds records and their index rows to the proofs. */
final class RecordProofs {
  static final long STEPS = 1;

  private final SurveyContext context;
  private final Proofs proofs;
  private final Set<String> referredTo;

  RecordProofs(SurveyContext context) {
    this.context = context;
    this.proofs = context.proofs();
    this.referredTo = referredTo(context.catalog());
  }

  /** Returns the kinds to which records, outcomes and steps refer. */
  private static Set<String> referredTo(Catalog catalog) {
    return Stream.concat(
            catalog.all().stream().flatMap(kind -> kind.referredTo().stream()),
            Stream.of(ArtifactStore.ARTIFACT.name(), TaskStore.TASK.name()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Adds a row of a record. */
  void addRecord(String tenant, Row row) {
    if (row.key().items().size() > 2) {
      context.addFurtherRow(row);
      return;
    }
    String id = row.key().text(1);
    long source = Proofs.row(tenant, row.key().number(0), id);
    Optional<RecordDef<?>> kind = context.catalog().find(row.key().number(0));
    Optional<? extends StoredRecord<?>> read =
        kind.isEmpty()
            ? Optional.empty()
            : context.whole(row).flatMap(value -> kind.get().read(id, value));
    if (read.isEmpty()
        || !read.get().namesItsId()
        || !HiddenContent.isCommitted(read.get().record())) {
      proofs.records().doubt(source);
    }
    read.ifPresent(record -> addRecord(tenant, source, record));
  }

  private void addRecord(String tenant, long source, StoredRecord<?> record) {
    RecordDef<?> kind = record.def();
    String id = record.storedId();
    for (Entry entry : record.entries()) {
      long hash = Proofs.entry(tenant, kind.number(), entry, id);
      proofs.index().expect(hash, hash);
    }
    record.dueEntries(tenant).forEach(context::expectDue);
    if (referredTo.contains(kind.name())) {
      proofs.known().add(Proofs.record(tenant, kind.name(), id), record.place());
    }
    for (Reference named : record.references()) {
      Place place = named.owner() ? record.place() : Place.ANYWHERE;
      proofs.references().add(source, Proofs.record(tenant, named.kind(), named.id()), place);
    }
    if (record.record() instanceof TaskRecord task && kind.equals(TaskStore.TASK)) {
      addTask(tenant, task);
    } else if (record.record() instanceof OutcomeRecord outcome
        && kind.equals(OutcomeStore.OUTCOME)) {
      addOutcome(tenant, id, outcome);
    } else {
      TaskReceiptsCheck.see(proofs, tenant, record);
    }
  }

  private void addTask(String tenant, TaskRecord record) {
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
      proofs.outcomes().expect(hash, outcomeHash(hash, task.getOutcomeId(), status));
    }
  }

  private void addOutcome(String tenant, String id, OutcomeRecord record) {
    Outcome of = record.getOutcome();
    long hash = Proofs.hash(tenant, of.getTaskId());
    proofs.outcomes().see(hash, outcomeHash(hash, id, of.getStatusValue()));
    for (String artifact : record.getArtifactIdsList()) {
      long named = Proofs.record(tenant, ArtifactStore.ARTIFACT.name(), artifact);
      proofs.artifacts().add(Proofs.hash(tenant, id), named, Place.ANYWHERE);
    }
  }

  private static long outcomeHash(long task, String id, int status) {
    return RowHash.of(task).add(id).add(status).end();
  }

  /** Adds an index row. */
  void addIndexRow(String tenant, Row row) {
    RowKey key = row.key();
    Optional<RecordDef<?>> kind = context.catalog().find(key.number(0));
    Optional<String> id = context.rows().text(row.value());
    if (kind.isEmpty() || id.isEmpty()) {
      proofs.index().doubt(RowHash.of(tenant).add(row.raw()).end());
      return;
    }
    Entry entry = new Entry(key.number(1), key.text(2));
    long hash = Proofs.entry(tenant, kind.get().number(), entry, id.get());
    proofs.index().see(hash, hash);
    if (key.number(0) == MessageStore.MESSAGE.number()
        && key.number(1) == MessageStore.MESSAGES_BY_SESSION) {
      String session = key.text(2);
      int partition = context.rows().partitionOf(session, context.partitions());
      EventId event = context.rows().eventId(key.number(3), key.stamp(4), partition);
      long at = Proofs.feed(tenant, session, context.rows().value(event));
      proofs.messages().expect(Proofs.message(at, id.get()));
    }
  }
}
