package dev.bridle.benchmarks;

import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc.EventServiceStub;
import dev.bridle.event.v1.StreamSessionEventsRequest;
import io.grpc.stub.StreamObserver;

/** A reader at the core's channel within the process, which crosses no socket. */
final class ChannelReader implements StreamObserver<EventFrame> {
  private final Arrivals arrivals = new Arrivals();

  /** Begins to read a session's stream from its beginning. */
  static EventReader of(EventServiceStub events, String session) {
    ChannelReader reader = new ChannelReader();
    events.streamSessionEvents(
        StreamSessionEventsRequest.newBuilder().setSessionId(session).build(), reader);
    return reader.arrivals;
  }

  @Override
  public void onNext(EventFrame frame) {
    if (frame.hasHistoryEnd()) {
      arrivals.live();
    } else if (frame.getEvent().getActor().equals("benchmark")) {
      arrivals.came((int) frame.getEvent().getSequence());
    }
  }

  @Override
  public void onError(Throwable failure) {
    arrivals.ended(failure);
  }

  @Override
  public void onCompleted() {
    arrivals.ended(new IllegalStateException("the server ended the stream"));
  }
}
