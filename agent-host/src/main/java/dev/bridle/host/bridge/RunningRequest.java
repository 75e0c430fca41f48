package dev.bridle.host.bridge;

import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RpcError;
import java.util.Optional;

/**
 * A request of a runtime that is being answered, which the runtime may cancel: it gets an error at
 * once, and the thread that works on the answer is interrupted. Thread-safe.
 */
final class RunningRequest {
  private final IncomingRequest request;
  private Optional<Thread> thread = Optional.empty();
  private boolean cancelled;

  RunningRequest(IncomingRequest request) {
    this.request = request;
  }

  /** Begins the work by this thread; returns false if the request was cancelled before. */
  synchronized boolean begin() {
    thread = Optional.of(Thread.currentThread());
    return !cancelled;
  }

  /** Ends the work: an interruption that comes too late is none of this thread's next work. */
  synchronized void end() {
    thread = Optional.empty();
    if (cancelled) {
      Thread.interrupted();
    }
  }

  synchronized void cancel() {
    cancelled = true;
    request.fail(RpcError.of(RpcError.CANCELLED, "The request was cancelled"));
    thread.ifPresent(Thread::interrupt);
  }
}
