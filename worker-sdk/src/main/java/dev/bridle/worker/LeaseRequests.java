package dev.bridle.worker;

import dev.bridle.worker.v1.LeaseTasksRequest;
import io.grpc.stub.StreamObserver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends a worker's messages on its lease stream in order, from any thread. Sending runs code of the
 * channel, which may call back, so it must not be done under a lock; queuing may.
 */
final class LeaseRequests {
  private final StreamObserver<LeaseTasksRequest> stream;
  private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  LeaseRequests(StreamObserver<LeaseTasksRequest> stream) {
    this.stream = stream;
  }

  /** Queues a message. */
  void add(LeaseTasksRequest request) {
    line.add(() -> stream.onNext(request));
  }

  /** Queues the end of the stream. */
  void addEnd() {
    line.add(stream::onCompleted);
  }

  /** Sends the queued messages, unless another thread or an outer call is sending them. */
  void send() {
    if (waiting.getAndIncrement() == 0) {
      do {
        for (Runnable next = line.poll(); next != null; next = line.poll()) {
          next.run();
        }
      } while (waiting.decrementAndGet() != 0);
    }
  }
}
