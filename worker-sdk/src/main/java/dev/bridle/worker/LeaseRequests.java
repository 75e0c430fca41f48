package dev.bridle.worker;

import dev.bridle.worker.v1.LeaseTasksRequest;
import io.grpc.stub.StreamObserver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a worker says on its lease stream, one thing at a time and in order, from any thread. Saying
 * runs the channel's code, which may call back, so it must not be done under a lock; putting in
 * line may.
 */
final class LeaseRequests {
  private final StreamObserver<LeaseTasksRequest> stream;
  private final Queue<Runnable> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  LeaseRequests(StreamObserver<LeaseTasksRequest> stream) {
    this.stream = stream;
  }

  /** Puts a message in line. */
  void add(LeaseTasksRequest request) {
    line.add(() -> stream.onNext(request));
  }

  /** Puts the end of the stream in line. */
  void addEnd() {
    line.add(stream::onCompleted);
  }

  /** Says what is in line, unless another thread, or a caller of this one, is about it. */
  void say() {
    if (waiting.getAndIncrement() == 0) {
      do {
        for (Runnable next = line.poll(); next != null; next = line.poll()) {
          next.run();
        }
      } while (waiting.decrementAndGet() != 0);
    }
  }
}
