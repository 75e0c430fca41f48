package dev.bridle.host.rpc;

import dev.bridle.host.rpc.PeerException.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls that wait for their answer, by id. Thread-safe. */
final class OpenCalls {
  private final int limit;
  private final Map<Long, Call> open = new HashMap<>();
  private long lastId;
  private Optional<PeerException> ended = Optional.empty();

  OpenCalls(int limit) {
    this.limit = limit;
  }

  record Call(long id, String method, CompletableFuture<RawJson> answer) {
    void fail(Reason reason, String message) {
      answer.completeExceptionally(new PeerException(reason, message));
    }
  }

  synchronized Call begin(String method) throws PeerException {
    if (ended.isPresent()) {
      throw new PeerException(ended.get().reason(), ended.get().getMessage());
    }
    if (open.size() >= limit) {
      throw new PeerException(Reason.TOO_MANY_CALLS, limit + " calls are open, the most allowed");
    }
    Call call = new Call(++lastId, method, new CompletableFuture<>());
    open.put(call.id(), call);
    return call;
  }

  /** Takes the call off the list, for whoever completes it. */
  synchronized Optional<Call> take(long id) {
    return Optional.ofNullable(open.remove(id));
  }

  /** Returns the open call with that answer, if it is one. */
  synchronized Optional<Call> find(CompletableFuture<RawJson> answer) {
    return open.values().stream().filter(call -> call.answer() == answer).findFirst();
  }

  /** Whether a call ever had this id. */
  synchronized boolean known(long id) {
    return id >= 1 && id <= lastId;
  }

  /** Fails all calls, and each that begins later. */
  void end(PeerException why) {
    List<Call> left;
    synchronized (this) {
      if (ended.isEmpty()) {
        ended = Optional.of(why);
      }
      left = new ArrayList<>(open.values());
      open.clear();
    }
    left.forEach(
        call -> call.fail(why.reason(), call.method() + " has no answer: " + why.getMessage()));
  }
}
