package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.receipt.v1.ExportReceiptsRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who has a chain from a file does not know whether it has gone on elsewhere. */
class ImportedChainEndTest extends ExportedTask {
  @Test
  void noEndIsSignedOfAChainThatCameWithAFile() {
    assertThat(exported(source.owner())).contains("\"partial\":false");
    var unused = Transfer.load(target, file);

    assertThat(exported(target.owner()))
        .contains("\"type\":\"receipt\"")
        .doesNotContain("bridle-chain-1");
  }

  @Test
  void norOfOneThatNobodyVouchesFor() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    var unused = Transfer.load(target, unsigned, Transfer.into("apart").setUnverified(true));

    assertThat(exported(target.as(target.core().processCredential("apart", "ada", Set.of("*")))))
        .contains("\"type\":\"receipt\"")
        .doesNotContain("bridle-chain-1");
  }

  @Test
  void theEndOfOneThatHasGoneOnHereIsSignedHere() {
    var unused = Transfer.load(target, file);
    goesOn(target.owner());

    assertThat(exported(target.owner())).contains("bridle-chain-1").contains("\"count\":2");
  }

  @Test
  void noEndIsEverSignedAboveABeginningThatNobodyVouchesFor() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    var unused = Transfer.load(target, unsigned, Transfer.into("apart").setUnverified(true));
    Channel apart = target.as(target.core().processCredential("apart", "ada", Set.of("*")));
    goesOn(apart);

    assertThat(exported(apart).lines().filter(line -> line.contains("\"type\":\"receipt\"")))
        .hasSize(2);
    assertThat(exported(apart)).doesNotContain("bridle-chain-1");
  }

  /** Has the session go on with one more task. */
  private void goesOn(Channel owner) {
    try (TestWorker worker = new TestWorker(owner, "", "w1")) {
      var unusedTask =
          TaskServiceGrpc.newBlockingStub(owner)
              .submitSessionTask(TestCore.submission(source.task(task).getSessionId()));
      worker.want(1);
      var unusedEnd =
          WorkerServiceGrpc.newBlockingStub(owner)
              .completeTask(WorkerRequests.complete(worker.lease()).setSummary("done").build());
    }
  }

  private String exported(Channel owner) {
    StringBuilder lines = new StringBuilder();
    ReceiptServiceGrpc.newBlockingStub(owner)
        .exportReceipts(
            ExportReceiptsRequest.newBuilder()
                .setSessionId(source.task(task).getSessionId())
                .build())
        .forEachRemaining(piece -> lines.append(piece.getData().toStringUtf8()));
    return lines.toString();
  }
}
