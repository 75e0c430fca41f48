package dev.bridle.gateway.kit.stream;

import com.google.protobuf.Message;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.error.CoreFailures;
import dev.bridle.gateway.kit.error.ProtocolError;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/**
 * One response stream of the core with back-pressure: at most a window of messages are in flight,
 * and the next is requested when one has been {@linkplain #taken() taken}.
 */
public final class CoreStream extends ClientCall.Listener<Message> {

  /** The usual window; streams of large messages have a smaller one. */
  public static final int WINDOW = 16;

  /** Receives the messages of the core, by one thread at a time. */
  public interface Receiver {

    /**
     * A message was received; the receiver must eventually call {@linkplain CoreStream#taken()
     * taken}.
     */
    void message(CoreStream from, Message message);

    /** The stream is complete. */
    void end(CoreStream from);

    /** The stream failed. */
    void failure(CoreStream from, ProtocolError error);
  }

  private final Call call;
  private final ClientCall<Message, Message> core;
  private final Receiver receiver;
  private final int window;

  /** Creates the stream of an exchange's route; call {@link #start} to begin. */
  public CoreStream(CoreCalls core, Call call, Receiver receiver) {
    this(core, call, receiver, WINDOW);
  }

  /**
   * Creates a stream as {@link #CoreStream(CoreCalls, Call, Receiver)} does.
   *
   * @param window the maximum number of messages in flight
   */
  public CoreStream(CoreCalls core, Call call, Receiver receiver, int window) {
    this.window = window;
    this.call = call;
    this.core = core.stream(call.target().method());
    this.receiver = receiver;
  }

  /** Starts the call. */
  public void start(Message request) {
    core.start(this, CoreCalls.metadata(call));
    core.request(window);
    core.sendMessage(request);
    core.halfClose();
  }

  /** Requests one more message after one has left the gateway. */
  public void taken() {
    core.request(1);
  }

  /** Cancels the call. */
  public void cancel(String reason) {
    core.cancel(reason, null);
  }

  @Override
  public void onMessage(Message message) {
    receiver.message(this, message);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk()) {
      receiver.end(this);
    } else {
      String method = call.target().method().getFullMethodName();
      receiver.failure(this, CoreFailures.error(status, trailers, method, call.requestId()));
    }
  }
}
