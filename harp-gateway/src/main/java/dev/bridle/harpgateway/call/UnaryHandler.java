package dev.bridle.harpgateway.call;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
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
import dev.bridle.gateway.kit.stream.UnsentBytes;
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
  private final Question question;
  private final Reply reply;
  private final HttpStatus status;
  private final MediaType type;

  /**
   * Creates a handler.
   *
   * @param status the status of responses with a body
   * @param type the type of their bodies
   */
  public UnaryHandler(
      CoreCalls core, HttpStatus status, MediaType type, Question question, Reply reply) {
    this.core = core;
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

  /**
   * Returns a handler of the same whose response is counted until the client has it, and is refused
   * if it has no room.
   *
   * @param bodies returns the tenants of callers
   */
  public CallHandler<HarpCall> counted(Bodies bodies, UnsentBytes unsent) {
    return call -> {
      Message asked = question.of(call, ByteString.EMPTY);
      return HttpResponse.of(
          bodies
              .admit(call)
              .thenCompose(
                  tenant ->
                      core.unary(call, asked)
                          .thenApply(reply::of)
                          .thenApply(body -> answer(counted(call, tenant, body, unsent))))
              .exceptionally(failure -> Failures.response(call, failure)));
    };
  }

  private static ByteString counted(
      HarpCall call, String tenant, ByteString body, UnsentBytes unsent) {
    UnsentBytes.Share share =
        unsent.of(
            tenant, () -> call.ctx().eventLoop().withoutContext().execute(call.ctx()::cancel));
    if (!share.hold(body.size())) {
      throw UnsentBytes.refusal();
    }
    var unused = call.ctx().log().whenComplete().thenRun(share::close);
    return body;
  }

  private CompletableFuture<HttpResponse> ask(HarpCall call, ByteString body) {
    return core.unary(call, question.of(call, body)).thenApply(reply::of).thenApply(this::answer);
  }

  private HttpResponse answer(ByteString body) {
    ResponseHeaders headers =
        ResponseHeaders.of(
            body.isEmpty() ? HttpStatus.NO_CONTENT : status,
            HttpHeaderNames.CACHE_CONTROL,
            "no-store");
    return body.isEmpty()
        ? HttpResponse.of(headers)
        : HttpResponse.of(
            headers.toBuilder().contentType(type).build(), HttpData.wrap(body.toByteArray()));
  }
}
