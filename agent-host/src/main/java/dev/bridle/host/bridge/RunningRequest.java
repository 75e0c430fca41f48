package dev.bridle.host.bridge;

import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RpcError;
import java.util.Optional;

/**
 * A request of a runtime that is being answered, which the runtime may cancel: the thread that
 * works on the answer is interrupted, and gives an error as the answer, once whatever it worked on
 * knows that it is cancelled. Thread-safe.
 */
final class RunningRequest {
  private final IncomingRequest request;
  private Optional<Thread> thread = Optional.empty();
  private boolean cancelled;

  RunningRequest(IncomingRequest request) {
    this.request = request;
  }

  /** Begins the work by this thread, which is interrupted if the request was cancelled before. */
  synchronized void begin() {
    thread = Optional.of(Thread.currentThread());
    if (cancelled) {
      Thread.currentThread().interrupt();
    }
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
    thread.ifPresent(Thread::interrupt);
  }

  /** Answers with an error: of a request that was cancelled, that it was. */
  synchronized void fail(RpcError error) {
    request.fail(cancelled ? RpcError.of(RpcError.CANCELLED, "The request was cancelled") : error);
  }
}
