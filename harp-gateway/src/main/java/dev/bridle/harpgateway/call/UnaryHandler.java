package dev.bridle.harpgateway.call;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harpgateway.envelope.HarpErrors;
import java.util.concurrent.CompletableFuture;

/** Serves an endpoint by one call of the core. An empty reply is 204. */
public final class UnaryHandler implements CallHandler<HarpCall> {
  /** Makes the core's request of a call. */
  public interface Question {
    /**
     * Returns the request.
     *
     * @param body the body, empty where there is none
     * @throws dev.bridle.gateway.kit.error.ProtocolException if the call is rejected
     */
    Message of(HarpCall call, ByteString body);
  }

  /** Makes the body of the response. */
  public interface Reply {
    /** Returns the body; empty for none. */
    ByteString of(Message response);
  }

  private final CoreCalls core;
  private final WholeResponses responses;
  private final Question question;
  private final Reply reply;
  private final HttpStatus status;
  private final MediaType type;

  /**
   * Creates a handler.
   *
   * @param responses makes the responses
   * @param status the status of responses with a body
   * @param type the type of their bodies
   */
  public UnaryHandler(
      CoreCalls core,
      WholeResponses responses,
      HttpStatus status,
      MediaType type,
      Question question,
      Reply reply) {
    this.core = core;
    this.responses = responses;
    this.status = status;
    this.type = type;
    this.question = question;
    this.reply = reply;
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    return HttpResponse.of(
        ask(call, ByteString.EMPTY).exceptionally(failure -> Failures.response(call, failure)));
  }

  /**
   * Returns a handler of the same that reads a body first.
   *
   * @param limit the maximum size of the body
   */
  public CallHandler<HarpCall> withBody(Bodies bodies, long limit) {
    return withBody(bodies, limit, HarpErrorCode.TRANSPORT);
  }

  /**
   * Returns a handler of the same that reads a body first.
   *
   * @param limit the maximum size of the body
   * @param tooLarge HARP's code for a body above the limit
   */
  public CallHandler<HarpCall> withBody(Bodies bodies, long limit, HarpErrorCode tooLarge) {
    return call -> {
      HeaderChecks.jsonContent(call.request().headers());
      return HttpResponse.of(
          bodies
              .read(call, limit)
              .thenCompose(body -> ask(call, ByteString.copyFrom(body)))
              .exceptionallyCompose(
                  failure ->
                      Failures.refuse(core, call, HarpErrors.tooLarge(failure, tooLarge, limit))));
    };
  }

  private CompletableFuture<HttpResponse> ask(HarpCall call, ByteString body) {
    return core.unary(call, question.of(call, body))
        .thenApply(reply::of)
        .thenCompose(answer -> answer(call, answer));
  }

  private CompletableFuture<HttpResponse> answer(HarpCall call, ByteString body) {
    ResponseHeaders headers =
        ResponseHeaders.of(
            body.isEmpty() ? HttpStatus.NO_CONTENT : status,
            HttpHeaderNames.CACHE_CONTROL,
            "no-store");
    return body.isEmpty()
        ? CompletableFuture.completedFuture(HttpResponse.of(headers))
        : responses.of(call, headers.toBuilder().contentType(type).build(), body.toByteArray());
  }
}
