package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import dev.bridle.gateway.call.CoreCalls;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.error.CoreFailures;
import dev.bridle.gateway.error.ProtocolError;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;

/**
 * One response stream of the core with back-pressure: at most {@link #WINDOW} messages are in
 * flight, and the next is requested when one has been {@linkplain #taken() taken}.
 */
public final class CoreStream extends ClientCall.Listener<Message> {

  private static final int WINDOW = 16;

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

  private final Exchange exchange;
  private final ClientCall<Message, Message> call;
  private final Receiver receiver;

  /** Creates the stream of an exchange's route; call {@link #start} to begin. */
  public CoreStream(CoreCalls core, Exchange exchange, Receiver receiver) {
    this.exchange = exchange;
    this.call = core.stream(exchange.route().method());
    this.receiver = receiver;
  }

  /** Starts the call. */
  public void start(Message request) {
    call.start(this, CoreCalls.metadata(exchange));
    call.request(WINDOW);
    call.sendMessage(request);
    call.halfClose();
  }

  /** Requests one more message after one has left the gateway. */
  public void taken() {
    call.request(1);
  }

  /** Cancels the call. */
  public void cancel(String reason) {
    call.cancel(reason, null);
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
      String method = exchange.route().method().getFullMethodName();
      receiver.failure(this, CoreFailures.error(status, trailers, method, exchange.requestId()));
    }
  }
}
