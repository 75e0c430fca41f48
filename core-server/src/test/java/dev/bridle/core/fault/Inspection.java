package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.fault.Expectations.End;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.work.redaction.StoredBytes;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Looks at what a run has left, through a core of its own and in the store itself. */
final class Inspection {
  private static final String TENANT = "default";

  /** What is forgotten in days, and meanwhile due. */
  private static final DueKind TO_FORGET = DueKind.DELIVERY;

  private final KeyValueStore store;
  private final SteppedCore core;
  private final String session;

  Inspection(KeyValueStore store, SteppedCore core, String session) {
    this.store = store;
    this.core = core;
    this.session = session;
  }

  /** Checks that what was acknowledged is there, once and whole, and that nothing else is. */
  void hold(Expectations expected) {
    List<Task> tasks =
        TaskServiceGrpc.newBlockingStub(core.owner())
            .listTasks(ListTasksRequest.newBuilder().setLimit(100).build())
            .getDataList()
            .stream()
            .filter(task -> task.getSessionId().equals(session) || task.hasReplay())
            .toList();
    assertThat(tasks)
        .extracting(Task::getId)
        .as("the tasks of the session, and replays beside it")
        .containsExactlyInAnyOrderElementsOf(expected.tasks().keySet());
    tasks.forEach(task -> hold(task, expected.tasks().get(task.getId())));
    CheckReport report =
        new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG, 0)
            .check(CheckProgress.SILENT);
    assertThat(report.findings()).as("what the checker finds").isEmpty();
    expected.gone().forEach(text -> assertThat(StoredBytes.with(store, text)).as(text).isEmpty());
    assertThat(queued()).as("what still waits in the queue").isEmpty();
    assertThat(due()).as("what is still due").isEmpty();
  }

  private void hold(Task task, End end) {
    assertThat(task.getStatus()).isEqualTo(end.status());
    List<Event> events =
        EventServiceGrpc.newBlockingStub(core.owner())
            .listTaskEvents(
                ListTaskEventsRequest.newBuilder().setTaskId(task.getId()).setLimit(200).build())
            .getDataList();
    assertThat(events)
        .extracting(Event::getSequence)
        .as("sequences without a hole or a double")
        .containsExactlyElementsOf(LongStream.range(0, events.size()).boxed().toList());
    List<String> kinds = events.stream().map(Event::getEvent).toList();
    end.once()
        .forEach(
            kind ->
                assertThat(Collections.frequency(kinds, kind))
                    .as("%s in %s", kind, kinds)
                    .isEqualTo(Collections.frequency(end.once(), kind)));
    assertThat(kinds.get(kinds.size() - 1)).as("the last event").isIn(end.once());
    List<Outcome> outcomes =
        OutcomeServiceGrpc.newBlockingStub(core.owner())
            .listOutcomes(ListOutcomesRequest.newBuilder().setTaskId(task.getId()).build())
            .getDataList();
    assertThat(outcomes).extracting(Outcome::getId).containsExactly(task.getOutcomeId());
  }

  private List<QueuedTask> queued() {
    TaskQueue queue = new TaskQueue(KeyLayout.root());
    return store.read(
        tr ->
            IntStream.range(0, TaskQueue.SHARDS)
                .boxed()
                .flatMap(shard -> queue.waiting(tr, shard, "", TENANT, 100).stream())
                .toList());
  }

  private List<DueEntry> due() {
    DueIndex due = new DueIndex(KeyLayout.root());
    return store.read(
        tr ->
            IntStream.range(0, DueIndex.SHARDS)
                .boxed()
                .flatMap(shard -> due.scan(tr, shard, List.of(), 1000).stream())
                .filter(entry -> entry.kind() != TO_FORGET)
                .toList());
  }
}
