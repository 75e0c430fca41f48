package dev.bridle.benchmarks;

import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc.EventServiceStub;
import dev.bridle.event.v1.StreamSessionEventsRequest;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** One live reader of a session's events. It keeps when each event of {@link Posts} came to it. */
final class Follower implements StreamObserver<EventFrame> {
  private final CompletableFuture<Void> live = new CompletableFuture<>();
  private final AtomicReference<Wanted> wanted = new AtomicReference<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** What is waited for. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Wanted(long[] arrivals, CountDownLatch left) {}

  static Follower of(EventServiceStub events, String session) {
    Follower follower = new Follower();
    events.streamSessionEvents(
        StreamSessionEventsRequest.newBuilder().setSessionId(session).build(), follower);
    return follower;
  }

  void awaitLive() {
    live.join();
  }

  /** Begins to keep the arrivals of so many events. */
  void expect(int events) {
    wanted.set(new Wanted(new long[events], new CountDownLatch(events)));
  }

  /** Waits until all events have come, and returns when each one did. */
  long[] arrivals() throws InterruptedException {
    wanted.get().left().await();
    if (failure.get() != null) {
      throw new IllegalStateException("a stream ended early", failure.get());
    }
    return wanted.get().arrivals();
  }

  @Override
  public void onNext(EventFrame frame) {
    Wanted now = wanted.get();
    if (frame.hasHistoryEnd()) {
      live.complete(null);
    } else if (now != null && frame.getEvent().getActor().equals("benchmark")) {
      now.arrivals()[(int) frame.getEvent().getSequence()] = System.nanoTime();
      now.left().countDown();
    }
  }

  @Override
  public void onError(Throwable error) {
    failure.set(error);
    live.completeExceptionally(error);
    Optional.ofNullable(wanted.get())
        .ifPresent(
            now -> {
              while (now.left().getCount() > 0) {
                now.left().countDown();
              }
            });
  }

  @Override
  public void onCompleted() {
    onError(new IllegalStateException("the server ended the stream"));
  }
}
