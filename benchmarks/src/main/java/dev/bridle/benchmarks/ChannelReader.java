package dev.bridle.benchmarks;

import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc.EventServiceStub;
import dev.bridle.event.v1.StreamSessionEventsRequest;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Optional;

/**
 * A reader at the core's channel within the process, which crosses no socket. Lets as many messages
 * be under way as the gateway does.
 */
final class ChannelReader
    implements ClientResponseObserver<StreamSessionEventsRequest, EventFrame> {
  private static final int WINDOW = 16;

  private final Arrivals arrivals = new Arrivals();
  private Optional<ClientCallStreamObserver<StreamSessionEventsRequest>> call = Optional.empty();

  /** Begins to read a session's stream from its beginning. */
  static EventReader of(EventServiceStub events, String session) {
    ChannelReader reader = new ChannelReader();
    events.streamSessionEvents(
        StreamSessionEventsRequest.newBuilder().setSessionId(session).build(), reader);
    return reader.arrivals;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<StreamSessionEventsRequest> stream) {
    call = Optional.of(stream);
    stream.disableAutoRequestWithInitial(WINDOW);
  }

  @Override
  public void onNext(EventFrame frame) {
    call.orElseThrow().request(1);
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
