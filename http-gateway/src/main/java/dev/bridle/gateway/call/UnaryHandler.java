package dev.bridle.gateway.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonValue;
import dev.bridle.gateway.kit.route.BodilessHandler;
import dev.bridle.gateway.route.Route;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Serves a route with one JSON request and one JSON response, over REST and in WebSocket frames.
 */
public final class UnaryHandler implements RouteHandler {

  private final Route route;
  private final RequestBinder binder;
  private final CoreCalls core;
  private final JsonAnswers answers;
  private final Bodies bodies;
  private final int maxJsonDepth;

  /** Creates a handler for one route, with a maximum nesting depth of bodies. */
  public UnaryHandler(
      Route route,
      RequestBinder binder,
      CoreCalls core,
      JsonAnswers answers,
      Bodies bodies,
      int maxJsonDepth) {
    this.route = route;
    this.binder = binder;
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
    this.maxJsonDepth = maxJsonDepth;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    if (!route.hasBody() && !BodilessHandler.mayHaveBody(exchange.request())) {
      return HttpResponse.of(answer(exchange, Optional.empty()));
    }
    return HttpResponse.of(
        bodies
            .read(exchange)
            .thenCompose(body -> answer(exchange, parse(exchange, body)))
            .exceptionallyCompose(failure -> Failures.refuse(core, exchange, failure)));
  }

  /**
   * Binds a request.
   *
   * @throws ProtocolException {@code invalid_request} if the request can't be bound
   */
  public Binding bind(Exchange exchange, Optional<JsonValue> body) {
    return binder.bind(exchange, body);
  }

  /** Calls the core with a bound request. */
  public CompletableFuture<Message> call(Exchange exchange, Binding bound) {
    return core.unary(exchange, bound.message().build());
  }

  private CompletableFuture<HttpResponse> answer(Exchange exchange, Optional<JsonValue> body) {
    Binding bound = bind(exchange, body);
    bound.announce(exchange.ctx());
    return call(exchange, bound)
        .thenCompose(message -> answers.of(exchange, message))
        .exceptionally(failure -> Failures.response(exchange, failure));
  }

  private Optional<JsonValue> parse(Exchange exchange, byte[] body) {
    if (body.length == 0) {
      if (!route.hasBody() || route.rule().getBodyOptional()) {
        return Optional.empty();
      }
      throw new ProtocolException(
          ProtocolError.invalid("", "The body is missing; expected a JSON object."));
    }
    HeaderChecks.jsonContent(exchange.request().headers());
    try {
      return Optional.of(JsonValue.whole(JsonTape.parse(body, maxJsonDepth)));
    } catch (InvalidMemberException e) {
      throw new ProtocolException(ProtocolError.invalid(e.param(), e.getMessage()));
    }
  }
}
