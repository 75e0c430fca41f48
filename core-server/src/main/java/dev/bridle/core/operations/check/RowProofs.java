package dev.bridle.core.operations.check;

import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.proof.RowHash;
import dev.bridle.core.operations.check.task.StepsCheck;
import dev.bridle.core.operations.check.walk.Survey;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Adds each row to the proofs, parsed once. */
final class RowProofs implements Survey.Look {
  private static final long PLACE = 2;

  private final SurveyContext context;
  private final Proofs proofs;
  private final RecordProofs records;
  private final EventProofs events;
  private final CommandProofs commands;
  private String taskWithSteps = "";

  RowProofs(SurveyContext context) {
    this.context = context;
    this.proofs = context.proofs();
    this.records = new RecordProofs(context);
    this.events = new EventProofs(context);
    this.commands = new CommandProofs(context);
  }

  /** Ends what depends on the order of the rows, or on all of them. */
  void end() {
    events.end();
    commands.end();
    proofs.resolve();
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
    TenantSpace space = key.space().orElseThrow();
    switch (space) {
      case RECORD -> records.addRecord(tenant, row);
      case INDEX -> records.addIndexRow(tenant, row);
      case EVENT -> events.addEvent(tenant, row, inOrder);
      case TASK_EVENT -> {
        long task = Proofs.hash(tenant, key.text(0));
        proofs.pointers().see(task, Proofs.pointer(task, key.number(1), row.value()));
      }
      case FEED -> events.addFeedEntry(tenant, row);
      case LAST_EVENT -> {
        long stream = Proofs.hash(tenant, key.text(0));
        proofs.newest().see(stream, RowHash.of(stream).add(row.value()).end());
      }
      case SEQUENCE -> counter(tenant, row);
      case STEP -> step(tenant, row, inOrder);
      case QUEUE_PLACE -> {
        long task = Proofs.hash(tenant, key.text(0));
        proofs.tasks().see(task, RowHash.of(task).add(PLACE).end());
      }
      case IDEMPOTENCY, KEYED_COMMAND -> commands.addKeyed(tenant, space, row, inOrder);
      case COMMAND -> commands.addUnkeyed(tenant, row);
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

  private void counter(String tenant, Row row) {
    long hash = Proofs.resource(tenant, row.key().text(0), row.key().text(1));
    if (row.value().length == Long.BYTES) {
      long next = ByteBuffer.wrap(row.value()).getLong();
      proofs.counters().see(hash, RowHash.of(hash).add(next).end());
    } else {
      proofs.counters().doubt(hash);
    }
  }

  private void step(String tenant, Row row, List<Runnable> inOrder) {
    RowKey key = row.key();
    if (key.items().size() > 2) {
      context.addFurtherRow(row);
      return;
    }
    String task = key.text(0);
    boolean sound = StepsCheck.isSound(context.whole(row), key.text(1));
    // Records come before steps.
    inOrder.add(
        () -> {
          long known = Proofs.record(tenant, TaskStore.TASK.name(), task);
          if (!sound || !proofs.known().contains(known)) {
            proofs.steps().doubt(Proofs.step(tenant, task, key.text(1)));
          }
          firstOf(tenant, task);
        });
  }

  private void firstOf(String tenant, String task) {
    String of = tenant + "/" + task;
    if (!of.equals(taskWithSteps)) {
      taskWithSteps = of;
      long hash = Proofs.hash(tenant, task);
      proofs.tasks().see(hash, RowHash.of(hash).add(RecordProofs.STEPS).end());
    }
  }
}
