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
 * One response stream of the core with back-pressure: at most a {@linkplain Window window} of
 * messages are in flight, and further ones are requested when some have been {@linkplain #taken()
 * taken}.
 */
public final class CoreStream extends ClientCall.Listener<Message> {

  /**
   * How much is in flight at most, by the size of the messages before.
   *
   * @param messages the maximum number of messages
   * @param bytes the maximum bytes; a message is requested however large it is
   * @param together whether messages are requested together once all before are taken, as suits a
   *     core that sends several at once: those that nobody requested would wait uncounted
   */
  public record Window(int messages, long bytes, boolean together) {

    /** Many small messages or one large one: a tenant may have thousands of streams. */
    public static final Window EVENTS = new Window(16, 16 << 10, false);

    /** As many chunks of a download as the core reads at once. */
    public static final Window CHUNKS = new Window(4, 256 << 10, true);

    /** One message, whatever its size. */
    public static final Window ONE = new Window(1, 1, true);

    private int of(long size) {
      return (int) Math.max(1, Math.min(messages, bytes / Math.max(1, size)));
    }
  }

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
  private final Window window;
  private int requested;
  private int untaken;

  /** About the size of the largest of the last messages; the first may have any. */
  private long size = Long.MAX_VALUE;

  /** Creates the stream of an exchange's route; call {@link #start} to begin. */
  public CoreStream(CoreCalls core, Call call, Receiver receiver, Window window) {
    this.window = window;
    this.call = call;
    this.core = core.stream(call.target().method());
    this.receiver = receiver;
  }

  /** Starts the call. */
  public void start(Message request) {
    core.start(this, CoreCalls.metadata(call));
    requestMore();
    core.sendMessage(request);
    core.halfClose();
  }

  /** Says that a message has left the gateway, after which further ones are requested. */
  public void taken() {
    synchronized (this) {
      untaken--;
    }
    requestMore();
  }

  private void requestMore() {
    int more;
    synchronized (this) {
      int underWay = requested + untaken;
      more = window.together() && underWay > 0 ? 0 : window.of(size) - underWay;
      requested += Math.max(0, more);
    }
    if (more > 0) {
      core.request(more);
    }
  }

  private synchronized void received(long bytes) {
    requested--;
    untaken++;
    // A large message counts for some time, since others like it may follow.
    size = size == Long.MAX_VALUE ? bytes : Math.max(bytes, size - size / 4);
  }

  /** Cancels the call. */
  public void cancel(String reason) {
    core.cancel(reason, null);
  }

  @Override
  public void onMessage(Message message) {
    received(message.getSerializedSize());
    receiver.message(this, message);
    requestMore();
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
