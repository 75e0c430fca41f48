package dev.bridle.core.work.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.CheckRecordedValuesRequest;
import dev.bridle.worker.v1.CheckRecordedValuesResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A recorded value that somebody has changed is found by a replay of the log alone. */
class OriginValuesTest extends PlayedReplays {
  private static final String KEY = "llm:1";
  private static final ByteString OTHER = ByteString.copyFromUtf8("{\"a\":2}");

  private final StepStore steps = new StepStore(KeyLayout.root());

  private Task recorded() {
    String id = core.submit(session).getId();
    worker.want(1);
    TaskLease lease = worker.lease();
    var unused = core.workers().reportStep(dependency(lease, KEY));
    complete(lease, "done");
    return core.task(id);
  }

  private CheckRecordedValuesResponse checked(TaskLease lease, String source) {
    return WorkerServiceGrpc.newBlockingStub(replayer())
        .checkRecordedValues(
            CheckRecordedValuesRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setSourceTaskId(source)
                .build());
  }

  private void replayed(Task source) {
    var unused =
        ReplayServiceGrpc.newBlockingStub(core.owner())
            .replayTask(ReplayTaskRequest.newBuilder().setTaskId(source.getId()).build());
  }

  private void change(String task, UnaryOperator<StepRecord> how) {
    var unused =
        core.store()
            .transact(
                tr -> {
                  byte[] bytes = steps.find(tr, Tenants.DEFAULT, task, KEY).orElseThrow();
                  steps.record(
                      tr, Tenants.DEFAULT, task, KEY, how.apply(parse(bytes)).toByteArray());
                  return true;
                });
  }

  private static StepRecord parse(byte[] bytes) {
    try {
      return StepRecord.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static StepRecord withOther(StepRecord record) {
    StepRecord.Builder other = record.toBuilder();
    other.getStepBuilder().setValue(OTHER);
    return other.build();
  }

  private static StepRecord committed(StepRecord record) {
    ByteString commitment =
        Commitment.of(record.getSalt().toByteArray(), record.getStep().getValue());
    return record.toBuilder().setCommitment(commitment).build();
  }

  @Test
  void aChangedValueIsNamedWithTheEventThatRecordedIt() {
    Task source = recorded();
    replayed(source);
    long sequence =
        core.eventsOf(source.getId()).stream()
            .filter(event -> event.getEvent().equals("vendor.bridle.dependency_recorded"))
            .map(Event::getSequence)
            .findFirst()
            .orElseThrow();
    try (TestWorker own = own()) {
      TaskLease lease = lease(own);
      assertThat(checked(lease, source.getId()).getWrongList()).isEmpty();

      ByteString value = dependency(lease, KEY).getDependency().getValue();
      change(source.getId(), OriginValuesTest::withOther);
      assertThat(checked(lease, source.getId()).getWrongList())
          .singleElement()
          .satisfies(
              wrong -> {
                assertThat(wrong.getStepKey()).isEqualTo(KEY);
                assertThat(wrong.getSequence()).isEqualTo(sequence);
                assertThat(wrong.getFound()).isNotEqualTo(wrong.getCommitted());
              });

      change(source.getId(), record -> committed(withOther(record)));
      assertThat(checked(lease, source.getId()).getWrongList())
          .as("its event has the commitment of another")
          .hasSize(1);

      change(
          source.getId(),
          record -> {
            StepRecord.Builder again = record.toBuilder();
            again.getStepBuilder().setValue(value);
            return committed(again.build());
          });
      assertThat(checked(lease, source.getId()).getWrongList()).isEmpty();
      end(lease);
    }
  }

  @Test
  void onlyTheTasksThatAReplayIsAboutAreLookedAt() {
    Task source = recorded();
    Task other = recorded();
    replayed(source);
    try (TestWorker own = own()) {
      TaskLease lease = lease(own);
      assertThatThrownBy(() -> checked(lease, other.getId()))
          .hasMessageContaining("There is no such task");
      end(lease);
    }
    Task ofSession =
        ReplayServiceGrpc.newBlockingStub(core.owner())
            .replaySession(ReplaySessionRequest.newBuilder().setSessionId(session).build());
    try (TestWorker own = own(ofSession.getAssignedAgentId())) {
      TaskLease lease = lease(own);
      assertThat(checked(lease, other.getId()).getWrongList()).isEmpty();
      assertThatThrownBy(() -> checked(lease, core.submit(core.newSession()).getId()))
          .hasMessageContaining("There is no such task");
      end(lease);
    }
  }
}
