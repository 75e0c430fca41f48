package dev.bridle.gateway.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.util.TimeoutMode;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.call.Pieces;
import dev.bridle.gateway.kit.error.CoreFailures;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.stream.StreamSettings;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Sends a request's body to the core as a stream of messages. Reads the next chunk when the call is
 * ready for it, so that neither a fast client nor a slow core fills the memory.
 */
final class Upload extends ClientCall.Listener<Message> implements Subscriber<HttpObject> {

  private static final int PIECE = 256 << 10;

  private final Exchange exchange;
  private final ClientCall<Message, Message> call;
  private final Message.Builder next;
  private final FieldDescriptor data;
  private final StreamSettings settings;
  private final long maxBytes;
  private final CompletableFuture<Message> answer = new CompletableFuture<>();
  private final AtomicBoolean wanting = new AtomicBoolean();
  private final Pieces pieces = new Pieces();
  private volatile Subscription subscription;
  private Message received;
  private boolean sent;
  private long size;

  Upload(
      Exchange exchange,
      ClientCall<Message, Message> call,
      Message.Builder first,
      FieldDescriptor data,
      StreamSettings settings,
      long maxBytes) {
    this.exchange = exchange;
    this.call = call;
    this.next = first;
    this.data = data;
    this.settings = settings;
    this.maxBytes = maxBytes;
  }

  /**
   * Starts the call and returns the core's response. Fails with a {@link ProtocolException}, or
   * with the failure of the request's body.
   */
  CompletableFuture<Message> start() {
    call.start(this, CoreCalls.metadata(exchange));
    call.request(2);
    exchange.request().subscribe(this, exchange.ctx().eventLoop());
    return answer;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    wanting.set(true);
    pull();
  }

  @Override
  public void onReady() {
    pull();
  }

  @Override
  public void onNext(HttpObject object) {
    if (answer.isDone()) {
      return;
    }
    if (object instanceof HttpData piece) {
      size += piece.length();
      if (size > maxBytes) {
        stop(HeaderChecks.tooLarge(maxBytes));
        return;
      }
      if (!pieces.take(piece.length())) {
        stop(Pieces.tooMany());
        return;
      }
      // Each received chunk restarts the timeout.
      exchange.ctx().setRequestTimeout(TimeoutMode.SET_FROM_NOW, settings.requestTimeout());
      byte[] bytes = piece.array();
      for (int from = 0; from < bytes.length; from += PIECE) {
        send(ByteString.copyFrom(bytes, from, Math.min(PIECE, bytes.length - from)));
      }
    }
    wanting.set(true);
    pull();
  }

  @Override
  public void onComplete() {
    if (!sent) {
      send(ByteString.EMPTY);
    }
    call.halfClose();
  }

  @Override
  public void onError(Throwable cause) {
    stop(cause);
  }

  @Override
  public void onMessage(Message message) {
    received = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk() && received != null) {
      answer.complete(received);
    } else {
      String method = exchange.target().method().getFullMethodName();
      Status failure =
          status.isOk() ? Status.INTERNAL.withDescription("no message was received") : status;
      answer.completeExceptionally(
          new ProtocolException(
              CoreFailures.error(failure, trailers, method, exchange.requestId())));
    }
    if (subscription != null) {
      subscription.cancel();
    }
  }

  private void send(ByteString bytes) {
    call.sendMessage(next.setField(data, bytes).build());
    // Only the first message identifies the upload.
    next.clear();
    sent = true;
  }

  private void pull() {
    Subscription body = subscription;
    if (body != null && call.isReady() && wanting.compareAndSet(true, false)) {
      body.request(1);
    }
  }

  private void stop(Throwable cause) {
    answer.completeExceptionally(cause);
    call.cancel("the upload was aborted", cause);
    subscription.cancel();
  }
}
