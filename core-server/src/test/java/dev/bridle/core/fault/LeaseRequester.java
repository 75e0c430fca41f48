package dev.bridle.core.fault;

import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import java.time.Duration;
import java.util.Optional;

/** A worker's stream that wants one lease at a time. */
final class LeaseRequester {
  private final TestWorker worker;
  private boolean wants;

  private LeaseRequester(Channel channel, LeaseHello.Builder hello) {
    this.worker = new TestWorker(channel, hello);
  }

  LeaseRequester(Channel channel, String name) {
    this(channel, LeaseHello.newBuilder().setWorkerId(name).setTakesMessages(true));
  }

  /** Returns the stream of the server's own worker. */
  static LeaseRequester ofReplays(Channel channel, String agent) {
    return new LeaseRequester(
        channel, LeaseHello.newBuilder().setAgentId(agent).setWorkerId(agent));
  }

  /** Returns the stream of a worker whose handler records all, or of one that runs its replays. */
  static LeaseRequester ofRecorded(Channel channel, String name, boolean replays) {
    return new LeaseRequester(
        channel,
        LeaseHello.newBuilder()
            .setWorkerId(name)
            .setReplays(replays)
            .setHandler(
                HandlerInfo.newBuilder()
                    .setName("writer")
                    .setDeterminism(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED)));
  }

  void want() {
    if (!wants) {
      wants = true;
      worker.want(1);
    }
  }

  Optional<TaskLease> lease() {
    Optional<TaskLease> lease = worker.next(Duration.ZERO);
    wants &= lease.isEmpty();
    return lease;
  }
}
