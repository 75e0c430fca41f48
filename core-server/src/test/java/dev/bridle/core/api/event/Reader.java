package dev.bridle.core.api.event;

import dev.bridle.event.v1.EventFrame;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A reader of a stream that keeps its frames, and is ready when a test says so. */
final class Reader extends ServerCallStreamObserver<EventFrame> {
  private final List<EventFrame> frames = new ArrayList<>();
  private Runnable onReady = () -> {};
  boolean ready = true;
  private int accepted = Integer.MAX_VALUE;
  Optional<Throwable> failure = Optional.empty();

  /** Is ready for so many more frames. */
  void accept(int more) {
    accepted = more;
  }

  boolean ready() {
    return isReady();
  }

  /** Takes frames again, and says so. */
  void becomeReady() {
    ready = true;
    onReady.run();
  }

  /** Returns the frames of events. */
  List<EventFrame> events() {
    return frames.stream().filter(EventFrame::hasEvent).toList();
  }

  List<Long> sequences() {
    return events().stream().map(frame -> frame.getEvent().getSequence()).toList();
  }

  @Override
  public void onNext(EventFrame frame) {
    frames.add(frame);
    accepted--;
  }

  @Override
  public void onError(Throwable failure) {
    this.failure = Optional.of(failure);
  }

  @Override
  public void onCompleted() {
    throw new AssertionError("the stream has ended");
  }

  @Override
  public boolean isReady() {
    return ready && accepted > 0;
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {
    onReady = handler;
  }

  @Override
  public void setOnCancelHandler(Runnable handler) {}

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}

  @Override
  public void setCompression(String compression) {}
}
