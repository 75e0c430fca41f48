package dev.bridle.gateway.token;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.route.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Serves the token endpoint: each field of the request message is a form parameter. */
public final class TokenHandler implements RouteHandler {
  private static final int MAX_FORM_BYTES = 16 * 1024;

  private final Route route;
  private final CoreCalls core;
  private final JsonAnswers answers;
  private final Bodies bodies;

  /** Creates a handler for one route, whose request has only string fields. */
  public TokenHandler(Route route, CoreCalls core, JsonAnswers answers, Bodies bodies) {
    this.route = route;
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    try {
      HeaderChecks.length(exchange.request().headers(), MAX_FORM_BYTES);
      TokenForm.requireForm(exchange.request().headers());
    } catch (RefusedTokenException | ProtocolException e) {
      return refusal(exchange, e);
    }
    return HttpResponse.of(
        bodies
            .readOpen(exchange, MAX_FORM_BYTES, Bodies.sender(exchange))
            .thenCompose(body -> issue(exchange, body))
            .exceptionally(failure -> refusal(exchange, failure)));
  }

  private CompletableFuture<HttpResponse> issue(Exchange exchange, byte[] body) {
    TokenForm form = TokenForm.of(exchange.request().headers(), body);
    Message.Builder request = route.request().newBuilderForType();
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      request.setField(field, form.get(field.getName()));
    }
    return core.unary(exchange, request.build())
        .thenCompose(message -> answers.of(exchange, message));
  }

  private static HttpResponse refusal(Exchange exchange, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean basic =
        exchange.request().headers().getAll(HttpHeaderNames.AUTHORIZATION).stream()
            .anyMatch(TokenForm::isBasic);
    TokenError error =
        cause instanceof RefusedTokenException refused
            ? refused.error()
            : TokenError.of(Failures.error(exchange, cause));
    return error.answer(basic);
  }
}
