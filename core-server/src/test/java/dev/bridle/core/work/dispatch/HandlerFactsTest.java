package dev.bridle.core.work.dispatch;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.WorkerBinding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What workers declare about their handlers, as tasks keep it. */
class HandlerFactsTest extends LeasedTasks {
  private static final String DIGEST = "sha256:" + "ab".repeat(32);
  private static final HandlerInfo GREETER =
      HandlerInfo.newBuilder()
          .setName("greeter")
          .setVersion("1.2.0")
          .setBuildDigest(DIGEST)
          .setDeterminism(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED)
          .setReportsSideEffects(true)
          .build();

  @Test
  void aTaskKeepsWhatTheProcessOfItsLeaseDeclares() {
    register("greeter", GREETER.toBuilder().setVersion("0.9").build());
    TestWorker declared = new TestWorker(core.owner(), hello("greeter").setHandler(GREETER));
    TaskLease lease = lease(declared);
    assertThat(record(lease).getHandler()).isEqualTo(GREETER);
    complete(lease, "done");
    assertThat(record(lease).getHandler()).isEqualTo(GREETER);
  }

  @Test
  void aProcessThatDeclaresNothingRunsWhatItsAgentHasRegistered() {
    register("greeter", GREETER);
    assertThat(record(lease(new TestWorker(core.owner(), hello("greeter")))).getHandler())
        .isEqualTo(GREETER);
  }

  @Test
  void aWorkerWithoutAnAgentDeclaresItsHandlerToo() {
    assertThat(record(lease(new TestWorker(core.owner(), hello("").setHandler(GREETER)))))
        .extracting(TaskRecord::getHandler)
        .isEqualTo(GREETER);
  }

  @Test
  void theFactsAreThoseOfTheLastRun() {
    TestWorker declared = new TestWorker(core.owner(), hello("").setHandler(GREETER));
    TaskLease first = lease(declared);
    declared.close();
    worker.want(1);
    fail(first, true);
    TaskLease second = worker.lease();
    assertThat(second.getTask().getId()).isEqualTo(first.getTask().getId());
    assertThat(record(second).hasHandler()).isFalse();
  }

  @Test
  void anAgentThatUnregistersDeclaresNothing() {
    register("greeter", GREETER);
    var unused =
        core.workers()
            .unregisterWorker(UnregisterWorkerRequest.newBuilder().setAgentId("greeter").build());
    var ignored =
        core.workers()
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId("greeter")
                    .addBindings(WorkerBinding.getDefaultInstance())
                    .build());
    assertThat(record(lease(new TestWorker(core.owner(), hello("greeter")))).hasHandler())
        .isFalse();
  }

  @Test
  void factsOfAnotherFormAreRejected() {
    refused("handler.name", GREETER.toBuilder().clearName().build());
    refused("handler.name", GREETER.toBuilder().setName("a\nb").build());
    refused("handler.version", GREETER.toBuilder().setVersion("v".repeat(129)).build());
    refused("handler.build_digest", GREETER.toBuilder().setBuildDigest("sha256:AB").build());
    refused("handler.determinism", GREETER.toBuilder().setDeterminismValue(7).build());
    TestWorker malformed =
        new TestWorker(core.owner(), hello("").setHandler(HandlerInfo.getDefaultInstance()));
    await().atMost(Duration.ofSeconds(60)).until(() -> malformed.failure().isPresent());
  }

  private void refused(String param, HandlerInfo handler) {
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, param, () -> register("greeter", handler));
  }

  private void register(String agent, HandlerInfo handler) {
    var unused =
        core.workers()
            .registerWorker(
                RegisterWorkerRequest.newBuilder()
                    .setAgentId(agent)
                    .addBindings(WorkerBinding.getDefaultInstance())
                    .setHandler(handler)
                    .build());
  }

  private static LeaseHello.Builder hello(String agent) {
    return LeaseHello.newBuilder().setAgentId(agent).setWorkerId("w2");
  }

  private TaskLease lease(TestWorker of) {
    of.want(1);
    var unused = core.submit(session);
    return of.lease();
  }

  private TaskRecord record(TaskLease lease) {
    return core.record(lease.getTask().getId());
  }
}
