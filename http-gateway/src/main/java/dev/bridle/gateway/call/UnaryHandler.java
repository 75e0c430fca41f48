package dev.bridle.gateway.call;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.call.Turns;
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
  private final Optional<Turns> pages;

  /**
   * Creates a handler for one route, with a maximum nesting depth of bodies.
   *
   * @param pages lets it run, if its responses are pages of a list: each may take megabytes
   */
  public UnaryHandler(
      Route route,
      RequestBinder binder,
      CoreCalls core,
      JsonAnswers answers,
      Bodies bodies,
      int maxJsonDepth,
      Turns pages) {
    this.route = route;
    this.binder = binder;
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
    this.maxJsonDepth = maxJsonDepth;
    this.pages = Optional.of(pages).filter(turns -> isPage(route));
  }

  private static boolean isPage(Route route) {
    return route.response().getDescriptorForType().getFields().stream()
        .anyMatch(
            field ->
                field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && field.getMessageType().equals(PageInfo.getDescriptor()));
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
    CompletableFuture<HttpResponse> answer =
        pages.isEmpty()
            ? answer(exchange, bound)
            : bodies
                .holder(exchange)
                .thenCompose(
                    holder -> pages.get().take(holder, () -> answerIfWanted(exchange, bound)));
    return answer.exceptionally(failure -> Failures.response(exchange, failure));
  }

  private CompletableFuture<HttpResponse> answer(Exchange exchange, Binding bound) {
    return call(exchange, bound).thenCompose(message -> answers.of(exchange, message));
  }

  private CompletableFuture<HttpResponse> answerIfWanted(Exchange exchange, Binding bound) {
    return exchange.ctx().isCancelled()
        ? CompletableFuture.failedFuture(ClosedStreamException.get())
        : answer(exchange, bound);
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
