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
 * One response stream of the core, at whose reader's pace it goes: at most {@link #WINDOW} messages
 * are under way, and the next is asked for once one has been {@linkplain #taken() taken}.
 */
public final class CoreStream extends ClientCall.Listener<Message> {

  private static final int WINDOW = 16;

  /** Takes what the core sends, by one thread at a time. */
  public interface Receiver {

    /** A message has come; sooner or later it is {@linkplain CoreStream#taken() taken}. */
    void message(CoreStream from, Message message);

    /** The core has sent all. */
    void end(CoreStream from);

    /** The core can't go on. */
    void failure(CoreStream from, ProtocolError error);
  }

  private final Exchange exchange;
  private final ClientCall<Message, Message> call;
  private final Receiver receiver;

  /** Makes the stream of an exchange's route; {@link #start} begins it. */
  public CoreStream(CoreCalls core, Exchange exchange, Receiver receiver) {
    this.exchange = exchange;
    this.call = core.stream(exchange.route().method());
    this.receiver = receiver;
  }

  /** Asks the core for the stream. */
  public void start(Message request) {
    call.start(this, CoreCalls.metadata(exchange));
    call.request(WINDOW);
    call.sendMessage(request);
    call.halfClose();
  }

  /** Asks for one more message, since one has left the gateway. */
  public void taken() {
    call.request(1);
  }

  /** Ends the stream from this side. */
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
