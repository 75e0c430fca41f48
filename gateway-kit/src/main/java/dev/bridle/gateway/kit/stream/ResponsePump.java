package dev.bridle.gateway.kit.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.error.ProtocolError;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Copies the messages of one response stream of the core to one HTTP response. An error before the
 * first message is an ordinary error response.
 */
public final class ResponsePump implements CoreStream.Receiver, ResponseWriter.Source {

  private final Call call;
  private final CoreStream stream;
  private final StreamContent content;
  private final HttpResponseWriter writer = HttpResponse.streaming();
  private final ResponseWriter<HttpObject> output;
  private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
  private boolean begun;
  private boolean ended;

  /** Creates the pump of a call. */
  public ResponsePump(
      Call call,
      CoreCalls core,
      StreamContent content,
      StreamSettings settings,
      OpenStreams streams) {
    this.call = call;
    this.stream = new CoreStream(core, call, this, content.window());
    this.content = content;
    this.output = new ResponseWriter<>(call, writer, this, settings, streams);
  }

  /**
   * Counts the messages that wait for the client; a stream whose message has no room ends with an
   * error.
   */
  public ResponsePump bound(UnsentBytes unsent, String tenant) {
    output.bound(unsent, tenant);
    return this;
  }

  /** Starts the call and returns the response. */
  public HttpResponse start(Message request) {
    HttpResponse response = HttpResponse.of(answer);
    var unused =
        response
            .whenComplete()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    stream.cancel("the HTTP response ended early");
                  }
                });
    stream.start(request);
    return response;
  }

  @Override
  public synchronized void message(CoreStream from, Message message) {
    if (ended) {
      return;
    }
    if (!begun) {
      begin(Optional.of(message));
    }
    Optional<HttpData> data = content.data(message);
    if (data.isEmpty()) {
      stream.taken();
    } else if (!output.write(data.get(), data.get().length(), stream::taken)) {
      fail(UnsentBytes.refusal().error());
      stream.cancel("no room for what waits for the client");
      return;
    }
    if (content.isLast(message)) {
      ended = true;
      writer.close();
      stream.cancel("the stream has ended");
    }
  }

  @Override
  public synchronized void end(CoreStream from) {
    if (ended) {
      return;
    }
    if (!begun) {
      begin(Optional.empty());
    }
    ended = true;
    writer.close();
  }

  @Override
  public synchronized void failure(CoreStream from, ProtocolError error) {
    if (!ended) {
      fail(error);
    }
  }

  @Override
  public synchronized void drain() {
    if (!ended) {
      fail(
          ProtocolError.of(
              ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The server is stopping; retry later."));
      stream.cancel("the gateway is stopping");
    }
  }

  @Override
  public synchronized void idle() {
    if (!ended) {
      content.heartbeat().ifPresent(output::write);
    }
  }

  @Override
  public void closed(Optional<Throwable> failure) {
    if (failure.isPresent()) {
      stream.cancel("the client disconnected");
    }
  }

  private void begin(Optional<Message> first) {
    begun = true;
    writer.write(content.headers(first));
    output.open();
    answer.complete(writer);
  }

  private void fail(ProtocolError error) {
    ended = true;
    if (!begun) {
      answer.complete(call.errors().response(error, call.requestId()));
      return;
    }
    Optional<HttpData> words = content.failure(error);
    if (words.isPresent()) {
      output.write(words.get());
      writer.close();
    } else {
      writer.close(ClosedStreamException.get());
    }
  }
}
